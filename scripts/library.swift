// swift-tools-version: 6.3
// The part of touchtree that other Swift packages use: .package(path: "/usr/src/touchtree").
import PackageDescription

let package = Package(
  name: "touchtree",
  products: [
    .library(name: "TouchCore", targets: ["TouchCore"]),
    .library(name: "TouchViews", targets: ["TouchViews"]),
    .library(name: "CTouchtree", targets: ["CTouchtree"]),
  ],
  targets: [
    .target(name: "TouchCore", linkerSettings: [.linkedLibrary("m")]),
    .target(name: "TouchViews", dependencies: ["TouchCore"]),
    .target(name: "CTouchtree"),
  ],
  swiftLanguageModes: [.v6]
)
