// swift-tools-version: 6.3
// The part of touchtree that other Swift packages use: .package(name: "touchtree", path: "/usr/src/touchtree").
//
// TouchKit needs two packages of Swift, which are fetched, and libraries that Debian has; TouchKitYAML needs libyaml and jansson as well.
// TouchCore and TouchViews, the touch model and its controls, need nothing: who uses them alone adds `traits: []`, and nothing is fetched.
import PackageDescription

// As in touchtree's own release: accesses are not checked at run time, which would be a large part of a tap.
let fast: [SwiftSetting] = [.unsafeFlags(["-enforce-exclusivity=unchecked"], .when(configuration: .release))]

// Programs that are linked with TouchKit are a megabyte and a half smaller by it: touchtree's Package.swift says how.
let lean: [LinkerSetting] = [
  .unsafeFlags(
    ["-use-ld=lld", "-Xlinker", "--no-export-dynamic", "-Xlinker", "-z", "-Xlinker", "pack-relative-relocs"],
    .when(configuration: .release))
]

let forTouchKit = TargetDependencyCondition.when(traits: ["TouchKit"])
let system = Target.Dependency.product(
  name: "SystemPackage", package: "swift-system", condition: forTouchKit)
let logging = Target.Dependency.product(name: "Logging", package: "swift-log", condition: forTouchKit)

let package = Package(
  name: "touchtree",
  products: [
    .library(name: "TouchCore", targets: ["TouchCore"]),
    .library(name: "TouchViews", targets: ["TouchViews"]),
    .library(name: "TouchKit", targets: ["TouchKit"]),
    .library(name: "TouchKitYAML", targets: ["TouchKitYAML"]),
    .library(name: "CTouchtree", targets: ["CTouchtree"]),
  ],
  traits: [
    .default(enabledTraits: ["TouchKit"]),
    .trait(name: "TouchKit", description: "Displays, devices and the loop"),
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
    .package(url: "https://github.com/apple/swift-system", from: "1.8.1"),
  ],
  targets: [
    .target(name: "TouchCore", swiftSettings: fast, linkerSettings: [.linkedLibrary("m")]),
    .target(
      name: "TouchViews", dependencies: ["TouchCore"],
      resources: [.embedInCode("Icons/own-icons.txt"), .embedInCode("Keyboards/shipped-layouts.txt")],
      swiftSettings: fast),
    .target(name: "CTouchtree"),

    .systemLibrary(name: "CEvdev", pkgConfig: "libevdev", providers: [.apt(["libevdev-dev"])]),
    .systemLibrary(name: "CUdev", pkgConfig: "libudev", providers: [.apt(["libudev-dev"])]),
    .systemLibrary(name: "CXkbcommon", providers: [.apt(["libxkbcommon-dev"])]),
    .systemLibrary(name: "CPixman", pkgConfig: "pixman-1", providers: [.apt(["libpixman-1-dev"])]),
    .systemLibrary(name: "CFcft", providers: [.apt(["libfcft-dev"])]),
    .systemLibrary(name: "CFribidi", providers: [.apt(["libfribidi-dev"])]),
    .systemLibrary(name: "CUnibreak", providers: [.apt(["libunibreak-dev"])]),
    .systemLibrary(name: "CQrencode", providers: [.apt(["libqrencode-dev"])]),
    .systemLibrary(name: "CFreeType", pkgConfig: "freetype2", providers: [.apt(["libfreetype-dev"])]),
    .systemLibrary(name: "CPNG", pkgConfig: "libpng", providers: [.apt(["libpng-dev"])]),
    .systemLibrary(name: "CJPEG", providers: [.apt(["libjpeg62-turbo-dev"])]),
    .systemLibrary(name: "CYAML", pkgConfig: "yaml-0.1", providers: [.apt(["libyaml-dev"])]),
    .systemLibrary(name: "CJansson", pkgConfig: "jansson", providers: [.apt(["libjansson-dev"])]),
    .target(name: "CLinux"),
    .target(name: "CDrm"),

    .target(
      name: "TouchSystem", dependencies: ["TouchCore", "CLinux", "CUdev", logging, system],
      swiftSettings: fast, linkerSettings: [.linkedLibrary("dispatch")]),
    .target(
      name: "TouchPixels",
      dependencies: [
        "TouchCore", "TouchViews", "TouchSystem", "CFreeType", "CPixman", "CPNG", "CJPEG", system,
      ],
      swiftSettings: fast
    ),
    .target(
      name: "TouchInput",
      dependencies: ["TouchCore", "TouchSystem", "CEvdev", "CLinux", "CXkbcommon", system],
      swiftSettings: fast),
    .target(
      name: "TouchRender",
      dependencies: [
        "TouchCore", "TouchViews", "TouchPixels", "TouchSystem", "CFcft", "CFribidi", "CUnibreak",
        "CQrencode", system,
      ],
      swiftSettings: fast),
    .target(
      name: "TouchOutput",
      dependencies: ["TouchCore", "TouchViews", "TouchPixels", "TouchSystem", "CLinux", "CDrm", system],
      swiftSettings: fast),
    .target(
      name: "TouchKit",
      dependencies: [
        "TouchCore", "TouchViews", "TouchSystem", "TouchPixels", "TouchInput", "TouchRender", "TouchOutput",
        logging, system,
      ],
      swiftSettings: fast, linkerSettings: lean),

    .target(name: "TouchJSON", dependencies: ["CJansson", "TouchSystem"], swiftSettings: fast),
    .target(
      name: "TouchYAML", dependencies: ["CYAML", "TouchCore", "TouchSystem"], swiftSettings: fast),
    .target(name: "TouchExpressions", dependencies: ["TouchCore", "TouchViews"], swiftSettings: fast),
    .target(
      name: "TouchConfig",
      dependencies: [
        "TouchCore", "TouchViews", "TouchExpressions", "TouchSystem", "TouchJSON", "TouchYAML", system,
      ],
      resources: ["dark", "light"].map { .embedInCode("Themes/\($0).yaml") }, swiftSettings: fast),
    .target(
      name: "TouchKitYAML", dependencies: ["TouchKit", "TouchConfig", "TouchCore", "TouchSystem"],
      swiftSettings: fast),
  ],
  swiftLanguageModes: [.v6]
)
