import Foundation
import Testing

/// The list of errors that `scripts/mutate` plants, without planting any.
@Suite struct PlantedErrorTests {
  @Test func `each planted error has its place in the sources, and a suite that exists`() throws {
    let outcome = try Program.run(
      "/usr/bin/env", ["python3", "scripts/mutate", "--list"], in: Program.package.path)
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(outcome.lines.count >= 2 * 42)
    let sources = try ["Tests", "Instrument/Tests", "MQTT/Tests"].flatMap {
      try FileManager.default.subpathsOfDirectory(atPath: Program.package.appending(path: $0).path)
    }
    let suites = Set(
      sources.filter { $0.hasSuffix("Tests.swift") }.map { $0.split(separator: "/") }.map {
        "\($0[0]).\($0[$0.count - 1].dropLast(".swift".count))"
      })
    let modules = Set(sources.filter { !$0.contains("/") })
    for (index, line) in outcome.lines.enumerated() where index % 2 == 1 {
      let suite = line.trimmingCharacters(in: .whitespaces)
      #expect(suites.contains(suite) || modules.contains(suite), "\(suite)")
    }
  }
}
