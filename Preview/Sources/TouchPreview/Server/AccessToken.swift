/// The secret in the address of a page: who does not know it gets nothing of the server.
package struct AccessToken: Equatable, Sendable {
  /// 32 hexadecimal digits.
  package let text: String

  /// Makes one of 128 bits of the kernel's random numbers.
  package init() {
    let digits = Array("0123456789abcdef")
    var random = SystemRandomNumberGenerator()
    text = String((0..<32).map { _ in digits[Int.random(in: 0..<16, using: &random)] })
  }

  /// Returns whether a text is the token, in a time that does not depend on where it differs.
  package func matches(_ other: some StringProtocol) -> Bool {
    let (mine, theirs) = (Array(text.utf8), Array(other.utf8))
    guard mine.count == theirs.count else { return false }
    return zip(mine, theirs).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
  }
}
