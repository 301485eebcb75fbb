// swift-tools-version: 6.3
import PackageDescription

let package = Package(
  name: "Chain",
  dependencies: [.package(name: "touchtree", path: "../..")],
  targets: [
    .executableTarget(name: "Chain", dependencies: [.product(name: "TouchKit", package: "touchtree")])
  ],
  swiftLanguageModes: [.v6]
)
