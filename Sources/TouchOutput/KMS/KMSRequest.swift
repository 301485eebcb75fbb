import CDrm
import Glibc
import SystemPackage

/// An atomic request, built once and committed without allocation. (kernel `drm_atomic.c`)
struct KMSRequest {
  private var objects: [UInt32] = []
  private var counts: [UInt32] = []
  private var properties: [UInt32] = []
  private var values: [UInt64] = []

  /// Adds a property of the object that the last ones belong to, unless it has not got it. It returns the
  /// value's place for `subscript`.
  @discardableResult
  mutating func set(_ property: KMSProperties.Property?, of object: UInt32, to value: UInt64) -> Int? {
    set(property?.id, of: object, to: value)
  }

  mutating func reset(_ property: KMSProperties.Property?, of object: UInt32, to value: UInt64) {
    if property?.value != value { set(property, of: object, to: value) }
  }

  private mutating func set(_ property: UInt32?, of object: UInt32, to value: UInt64) -> Int? {
    guard let property else { return nil }
    if objects.last == object {
      counts[counts.count - 1] += 1
    } else {
      objects.append(object)
      counts.append(1)
    }
    properties.append(property)
    values.append(value)
    return values.count - 1
  }

  subscript(place: Int) -> UInt64 {
    get { values[place] }
    set { values[place] = newValue }
  }

  /// Commits with `DRM_MODE_ATOMIC_…` and `DRM_MODE_PAGE_FLIP_EVENT`; nil if the driver took it.
  mutating func commit(on card: KMSCard, _ flags: Int32) -> Errno? {
    objects.withUnsafeMutableBufferPointer { objects in
      counts.withUnsafeMutableBufferPointer { counts in
        properties.withUnsafeMutableBufferPointer { properties in
          values.withUnsafeMutableBufferPointer { values in
            var request = drm_mode_atomic()
            request.flags = UInt32(bitPattern: flags)
            request.count_objs = UInt32(objects.count)
            request.objs_ptr = Self.address(objects.baseAddress)
            request.count_props_ptr = Self.address(counts.baseAddress)
            request.props_ptr = Self.address(properties.baseAddress)
            request.prop_values_ptr = Self.address(values.baseAddress)
            let status = touchtree_drm_atomic(card.descriptor.rawValue, &request)
            return status == 0 ? nil : Errno(rawValue: errno)
          }
        }
      }
    }
  }

  private static func address<Element>(_ pointer: UnsafeMutablePointer<Element>?) -> UInt64 {
    UInt64(UInt(bitPattern: pointer))
  }
}
