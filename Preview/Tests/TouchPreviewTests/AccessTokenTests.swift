import Testing
import TouchPreview

@Suite("Access tokens") struct AccessTokenTests {
  @Test func `a token is 32 hexadecimal digits, and another one each time`() {
    let (first, second) = (AccessToken(), AccessToken())
    #expect(first.text.wholeMatch(of: /[0-9a-f]{32}/) != nil)
    #expect(first != second)
  }

  @Test func `a token matches itself and nothing else`() {
    let token = AccessToken()
    let other = (token.text.first == "0" ? "1" : "0") + token.text.dropFirst()
    #expect(token.matches(token.text))
    for wrong in ["", other, String(token.text.dropLast()), token.text + "0"] {
      #expect(!token.matches(wrong), "\(wrong)")
    }
  }
}
