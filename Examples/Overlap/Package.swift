// swift-tools-version: 6.3
import PackageDescription

let package = Package(
  name: "Overlap",
  dependencies: [.package(name: "touchtree", path: "../..")],
  targets: [
    .executableTarget(name: "Overlap", dependencies: [.product(name: "TouchKit", package: "touchtree")])
  ],
  swiftLanguageModes: [.v6]
)
