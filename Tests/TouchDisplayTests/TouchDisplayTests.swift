import Testing
@testable import TouchDisplay
