import CDrm
import SystemPackage
import TouchPixels
import TouchSystem

/// libdrm 2, loaded when KMS is needed. A board with a framebuffer needs none.
enum KMSLibrary {
  private static let shared = Result { () throws(DisplayError) in try load("libdrm.so.2") }

  static func load() throws(DisplayError) -> touchtree_drm { try shared.get().functions }

  static func load(_ name: String) throws(DisplayError) -> LoadedLibrary<touchtree_drm> {
    do throws(MissingLibrary) {
      return try LoadedLibrary(name, touchtree_drm(), by: touchtree_drm_load)
    } catch {
      throw DisplayError(
        .missing, path: "kms",
        detail: "KMS needs libdrm, which cannot be loaded (\(error.reason)); install it: "
          + "apt-get install libdrm2")
    }
  }
}

/// The properties of a connector, a CRTC or a plane. (libdrm `drmModeObjectGetProperties`)
struct KMSProperties {
  struct Property {
    let id: UInt32
    let value: UInt64
    /// The names of the values of an enumeration, by their numbers; empty for other properties.
    let names: [UInt64: String]
  }

  private let byName: [String: Property]

  /// - Parameters:
  /// - object: the object's number.
  ///   - type: `DRM_MODE_OBJECT_…`.
  init(of object: UInt32, _ type: UInt32, on descriptor: FileDescriptor, _ drm: touchtree_drm) {
    var found: [String: Property] = [:]
    if let list = drm.get_properties(descriptor.rawValue, object, type) {
      defer { drm.free_properties(list) }
      for index in 0..<Int(list.pointee.count_props) {
        guard let property = drm.get_property(descriptor.rawValue, list.pointee.props[index]) else {
          continue
        }
        defer { drm.free_property(property) }
        var names: [UInt64: String] = [:]
        for number in 0..<Int(property.pointee.count_enums) {
          let entry = property.pointee.enums[number]
          names[entry.value] = text(of: entry.name)
        }
        found[text(of: property.pointee.name)] = Property(
          id: property.pointee.prop_id, value: list.pointee.prop_values[index], names: names)
      }
    }
    byName = found
  }

  subscript(_ name: String) -> Property? { byName[name] }

  /// Returns the name of an enumeration's present value; nil if the property is missing.
  func choice(_ name: String) -> String? { byName[name].flatMap { $0.names[$0.value] } }
}

/// Returns the text in an array of the kernel's, which ends with a zero or with the array.
func text<Characters>(of characters: Characters) -> String {
  withUnsafeBytes(of: characters) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
}
