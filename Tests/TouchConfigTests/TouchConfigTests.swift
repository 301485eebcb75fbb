import Testing

@testable import TouchConfig
