// swift-tools-version: 6.3
import PackageDescription

let package = Package(
  name: "Benchmarks",
  dependencies: [.package(name: "touchtree", path: "../..")],
  targets: [
    .executableTarget(
      name: "HitBenchmark", dependencies: [.product(name: "TouchCore", package: "touchtree")],
      linkerSettings: [.linkedLibrary("m")]),
    .executableTarget(
      name: "DisplayBenchmark",
      dependencies: [
        "CBaseline", .product(name: "TouchCore", package: "touchtree"),
        .product(name: "_Benchmarked", package: "touchtree"),
      ]),
    // What the figures are compared with.
    .target(name: "CBaseline", linkerSettings: [.linkedLibrary("pixman-1")]),
  ],
  swiftLanguageModes: [.v6]
)
