import FoundationEssentials
import Models

/// The picture that Mei made of the cabin: a lake at dusk. Whole numbers only, so that every machine draws the same.
enum Sketch {
    static let width = 160
    static let height = 100
    static let name = "cabin.png"
    static let words = "I painted the cabin from Ben's description. 湖と小屋 🎨"

    static let bytes = PNGFile.bytes(width: width, height: height, pixel: color)
    /// Of `bytes`, as an upload has to state it.
    static let sha256 = "4a2b4c01f21da39009513e5fb4706ea5e050d62d68642e7f398c02325f7d79dc"

    static var attachment: Attachment {
        Attachment(
            path: "", name: name, mimeType: "image/png", size: Int64(bytes.count), width: width,
            height: height)
    }

    private static let shore = 62

    private static func color(_ x: Int, _ y: Int) -> PNGFile.Pixel {
        if let near = cabin(x, y) ?? firs(x, y) { return near }
        if y >= bank(x) { return mixed((46, 62, 40), (20, 30, 24), y - bank(x), of: 22) }
        guard y >= shore else { return land(x, y) }
        // The lake shows what stands above it, darker and torn by ripples.
        let ripple = (x / 3 + y * 7) % 5 - 2
        let mirrored = land(x + (y % 3 == 0 ? ripple : 0), 2 * shore - y - 1)
        return mixed(mirrored, (24, 40, 84), 45 + (y % 4 == 0 ? 14 : 0), of: 100)
    }

    /// Sky, sun and hills.
    private static func land(_ x: Int, _ y: Int) -> PNGFile.Pixel {
        let near = ridge(x, [(0, 40), (34, 49), (70, 57), (112, 50), (160, 34)])
        if y >= near { return mixed((74, 62, 104), (58, 48, 84), y - near, of: 24) }
        let far = ridge(x, [(0, 52), (26, 36), (44, 44), (78, 22), (104, 40), (128, 31), (160, 50)])
        let slope = x - 78
        if y >= far {
            let isSnow = y < 31 && abs(slope) < 16
            return isSnow ? (246, 214, 206) : mixed((150, 104, 142), (112, 84, 130), y - far, of: 30)
        }
        let (across, down) = (x - 120, y - 26)
        let distance = across * across + down * down
        if distance <= 100 { return (255, 236, 170) }
        let sky =
            y < 30
            ? mixed((44, 48, 108), (190, 108, 142), y, of: 30)
            : mixed((190, 108, 142), (255, 196, 128), y - 30, of: 30)
        return distance < 400 ? mixed((255, 220, 150), sky, distance - 100, of: 300) : sky
    }

    private static func bank(_ x: Int) -> Int {
        ridge(x, [(0, 74), (40, 78), (80, 88), (120, 96), (160, 99)])
    }

    private static func cabin(_ x: Int, _ y: Int) -> PNGFile.Pixel? {
        let isRoof = (50..<62).contains(y) && abs(x - 40) <= 4 + (y - 50) * 7 / 4
        if isRoof { return y > 59 ? (66, 36, 34) : (122, 54, 48) }
        if (46..<56).contains(y), (50..<54).contains(x) { return (92, 70, 68) }
        guard (62..<80).contains(y), (22..<59).contains(x) else { return nil }
        if (66..<73).contains(y), (28..<36).contains(x) || (46..<54).contains(x) {
            let isFrame = x == 31 || x == 49 || y == 69
            return isFrame ? (110, 66, 40) : (255, 214, 110)
        }
        if (66..<80).contains(y), (38..<44).contains(x) { return (70, 40, 30) }
        return y % 4 == 0 ? (118, 76, 50) : (150, 98, 62)
    }

    private static func firs(_ x: Int, _ y: Int) -> PNGFile.Pixel? {
        for (middle, top, foot) in [(9, 40, 78), (70, 52, 86), (84, 60, 91), (150, 54, 100)] {
            guard (top..<foot).contains(y) else { continue }
            let layer = (y - top) % 9
            let reach = (y - top) / 4 + layer / 2 + 1
            if abs(x - middle) <= reach { return x < middle ? (26, 66, 58) : (16, 46, 46) }
        }
        return nil
    }

    /// The height of a line through some points, at a column.
    private static func ridge(_ x: Int, _ points: [(x: Int, y: Int)]) -> Int {
        let x = min(max(x, 0), width - 1)
        for (left, right) in zip(points, points.dropFirst()) where x < right.x {
            return left.y + (right.y - left.y) * (x - left.x) / (right.x - left.x)
        }
        return points.last?.y ?? 0
    }

    private static func mixed(_ first: PNGFile.Pixel, _ second: PNGFile.Pixel, _ part: Int, of whole: Int)
        -> PNGFile.Pixel
    {
        let part = min(max(part, 0), whole)
        func mix(_ one: UInt8, _ other: UInt8) -> UInt8 {
            UInt8((Int(one) * (whole - part) + Int(other) * part) / whole)
        }
        return (
            mix(first.red, second.red), mix(first.green, second.green), mix(first.blue, second.blue)
        )
    }
}
