// swift-tools-version: 6.3
import PackageDescription

// Programs as UIKit developers write them, which must compile without warnings and do what they say;
// scripts/examples builds and runs them.
let package = Package(
  name: "Use",
  dependencies: [.package(name: "touchtree", path: "../..")],
  targets: ["TenLines", "Habits", "Tasks"].map {
    .executableTarget(name: $0, dependencies: [.product(name: "TouchKit", package: "touchtree")])
  },
  swiftLanguageModes: [.v6]
)
