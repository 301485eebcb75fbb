// swift-tools-version: 6.3
import PackageDescription

let package = Package(
  name: "PassThrough",
  dependencies: [.package(name: "touchtree", path: "../..")],
  targets: [
    .executableTarget(name: "PassThrough", dependencies: [.product(name: "TouchKit", package: "touchtree")])
  ],
  swiftLanguageModes: [.v6]
)
