// swift-tools-version: 6.3
import PackageDescription

let package = Package(
  name: "Shelter",
  dependencies: [.package(name: "touchtree", path: "../..")],
  targets: [
    .executableTarget(name: "Shelter", dependencies: [.product(name: "TouchKit", package: "touchtree")])
  ],
  swiftLanguageModes: [.v6]
)
