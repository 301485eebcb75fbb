// swift-tools-version: 6.3
import PackageDescription

let package = Package(
  name: "OutsideChild",
  dependencies: [.package(name: "touchtree", path: "../..")],
  targets: [
    .executableTarget(name: "OutsideChild", dependencies: [.product(name: "TouchKit", package: "touchtree")])
  ],
  swiftLanguageModes: [.v6]
)
