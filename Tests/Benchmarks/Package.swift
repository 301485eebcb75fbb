// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "Benchmarks",
  dependencies: [.package(name: "touchtree", path: "../..")],
  targets: [
    .executableTarget(
      name: "HitBenchmark", dependencies: [.product(name: "TouchCore", package: "touchtree")],
      linkerSettings: [.linkedLibrary("m")])
  ],
  swiftLanguageModes: [.v6]
)
