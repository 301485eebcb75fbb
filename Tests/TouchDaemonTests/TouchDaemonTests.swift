import Testing

@testable import TouchDaemon
