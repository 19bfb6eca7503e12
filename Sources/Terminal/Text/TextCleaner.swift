/// Makes foreign text harmless. Works on scalars first and clusters second, so that dropping a scalar cannot
/// leave behind a cluster that nobody checked.
enum TextCleaner {
    /// Marks kept on one base; the tallest honest stacks (Thai, Hebrew, Tibetan) stay below it.
    static let marksPerCluster = 8
    /// Scalars kept in one cluster; the longest honest emoji sequence has ten.
    static let scalarsPerCluster = 32

    static func clusters(of raw: Substring.UnicodeScalarView) -> [Cluster] {
        if let plain = plainClusters(of: raw) { return plain }
        return clusters(ofAllowed: allowed(raw))
    }

    static func lines(of raw: String) -> [Substring.UnicodeScalarView] {
        let scalars = raw.unicodeScalars
        // Beyond ASCII, what ends a line begins with one of two bytes. Most texts have none of them.
        let mayBreak = scalars[...].withBytes { $0.contains { $0 < 0x20 || $0 == 0xC2 || $0 == 0xE2 } }
        guard mayBreak else { return [scalars[...]] }
        var lines: [Substring.UnicodeScalarView] = []
        var start = scalars.startIndex
        var index = start
        while index < scalars.endIndex {
            let scalar = scalars[index]
            let next = scalars.index(after: index)
            guard scalar.endsLine else {
                index = next
                continue
            }
            lines.append(scalars[start..<index])
            let isPair = scalar == "\r" && next < scalars.endIndex && scalars[next] == "\n"
            start = isPair ? scalars.index(after: next) : next
            index = start
        }
        lines.append(scalars[start...])
        return lines
    }

    /// The spaces of a tab may be one cluster with what stands beside them, so the clusters are made of the whole line
    /// once its tabs are spaces.
    static func clustersExpandingTabs(in line: Substring.UnicodeScalarView) -> [Cluster] {
        if let plain = plainClusters(of: line) { return plain }
        let parts = line.split(separator: "\t", omittingEmptySubsequences: false)
        guard parts.count > 1 else { return clusters(of: line) }
        var expanded: [Unicode.Scalar] = []  // a string would be copied as a whole at every addition
        var column = 0
        for part in parts.dropLast() {
            // Behind a tab, what joins the tab's last space takes no column of its own for it.
            let isBehindTab = column > 0
            let piece = Substring(isBehindTab ? " " : "").unicodeScalars + part
            column += clusters(of: piece).reduce(isBehindTab ? -1 : 0) { $0 + Int($1.cells) }
            let gap = 8 - column % 8
            expanded += part
            expanded += repeatElement(" ", count: gap)
            column += gap
        }
        if let last = parts.last { expanded += last }
        return clusters(of: Substring(String(String.UnicodeScalarView(expanded))).unicodeScalars)
    }

    /// The common case: nothing but printable ASCII.
    private static func plainClusters(of raw: Substring.UnicodeScalarView) -> [Cluster]? {
        raw.withBytes { bytes in
            guard bytes.allSatisfy({ $0 >= 0x20 && $0 < 0x7F }) else { return nil }
            return bytes.map { Cluster(trusted: Unicode.Scalar($0), cells: 1) }
        }
    }

    /// The scalars that may stay. Joiners and tags stay here: only a cluster tells whether they belong.
    private static func allowed(_ raw: Substring.UnicodeScalarView) -> String {
        var kept = String.UnicodeScalarView()
        var last: Unicode.Scalar = " "
        for scalar in raw {
            defer { last = scalar }
            if scalar == "\n", last == "\r" { continue }
            if scalar.endsLine || scalar == "\t" {
                kept.append(" ")
                continue
            }
            switch ScalarClass(scalar) {
            case .dropped: continue
            case .control: kept.append(scalar.controlPicture)
            case .space: kept.append(" ")
            case .narrow, .wide, .mark, .spacingMark, .joiner, .tag, .trustedNarrow, .trustedWide:
                kept.append(scalar)
            }
        }
        return String(kept)
    }

    private static func clusters(ofAllowed text: String) -> [Cluster] {
        var assembly = ClusterAssembly()
        for character in text { assembly.add(character) }
        return assembly.finish()
    }

    /// Cuts what exceeds the limits, and the joiners and tags that join nothing.
    static func trimmed(_ scalars: Character.UnicodeScalarView) -> [Unicode.Scalar] {
        var kept: [Unicode.Scalar] = []
        var marks = 0
        let takesTags = scalars.first == .blackFlag
        for scalar in scalars where kept.count < scalarsPerCluster {
            let kind = ScalarClass(scalar)
            if kind == .tag, !takesTags { continue }
            if kind.isMark {
                marks += 1
                if marks > marksPerCluster { continue }
            } else if kind != .joiner {
                marks = 0
            }
            if kind == .joiner, kept.isEmpty || kept.last.map({ ScalarClass($0) == .joiner }) == true {
                continue
            }
            kept.append(scalar)
        }
        while let last = kept.last, ScalarClass(last) == .joiner { kept.removeLast() }
        return kept
    }

    static func cluster(of scalar: Unicode.Scalar) -> Cluster? {
        switch ScalarClass(scalar) {
        case .trustedNarrow: Cluster(trusted: scalar, cells: 1)
        case .trustedWide: Cluster(trusted: scalar, cells: 2)
        case .wide: Cluster(untrusted: scalar, cells: scalar.isRegionalIndicator ? 1 : 2)
        case .narrow: Cluster(untrusted: scalar, cells: scalar.isJamo ? 2 : 1)
        case .dropped, .mark, .spacingMark, .joiner, .tag, .control, .space: nil
        }
    }

    static func cluster(of scalars: [Unicode.Scalar]) -> Cluster? {
        guard let first = scalars.first else { return nil }
        if scalars.count == 1, let single = cluster(of: first) { return single }
        var text = String(String.UnicodeScalarView(scalars))
        var isOrphan = ScalarClass(first).isMark
        if isOrphan {
            let circled = String(Character(.dottedCircle)) + text
            // Half a syllable sits on nothing, so it needs nothing to sit on.
            isOrphan = circled.count == text.count
            if isOrphan { text = circled }
        }
        return Cluster(untrusted: text, cells: UInt8(cells(of: scalars, isOrphan: isOrphan)))
    }

    private static func cells(of scalars: [Unicode.Scalar], isOrphan: Bool) -> Int {
        let isPair = scalars.count > 1 && scalars[0].isRegionalIndicator && scalars[1].isRegionalIndicator
        let isTwo = scalars.contains {
            $0 == .zeroWidthJoiner || $0.isEmojiPresentationSelector || $0.isSkinTone || $0.isJamo
                || $0.properties.isEmojiPresentation && !$0.isRegionalIndicator
        }
        if isPair || isTwo { return 2 }
        let sum = scalars.reduce(isOrphan ? 1 : 0) { $0 + ScalarClass($1).cells }
        return min(max(sum, 1), 4)
    }
}

extension Substring.UnicodeScalarView {
    /// The text's bytes in place: a walk over its scalars costs ten times as much.
    fileprivate func withBytes<Result>(_ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
        var text = Substring(self)
        return text.withUTF8(body)
    }
}
