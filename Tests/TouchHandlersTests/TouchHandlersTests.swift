import Testing
@testable import TouchHandlers
