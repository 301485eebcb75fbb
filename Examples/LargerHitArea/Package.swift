// swift-tools-version: 6.3
import PackageDescription

let package = Package(
  name: "LargerHitArea",
  dependencies: [.package(name: "touchtree", path: "../..")],
  targets: [
    .executableTarget(name: "LargerHitArea", dependencies: [.product(name: "TouchKit", package: "touchtree")])
  ],
  swiftLanguageModes: [.v6]
)
