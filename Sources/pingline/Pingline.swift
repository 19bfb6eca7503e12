import App
import Glibc

@main
struct Pingline {
    static func main() async {
        exit(await Launch.run())
    }
}
