import CTouchtree
import TouchViews

/// A plugin's access to properties and named values. Each function is in the host's table.
extension PluginServices {
  func invalidate(_ id: UnsafePointer<CChar>?) -> Int32 {
    guard let host = reachableHost(for: .invalidate) else { return TOUCHTREE_UNAVAILABLE }
    guard let id = text(id, "view", of: .invalidate) else { return TOUCHTREE_NO_SUCH_VIEW }
    guard let view = host.view(id: id) else { return noSuchView(id) }
    view.setNeedsDisplay()
    return TOUCHTREE_OK
  }

  func set(
    _ key: UnsafePointer<CChar>?, to value: UnsafePointer<CChar>?, on id: UnsafePointer<CChar>?
  ) -> Int32 {
    // A NULL here is reported after one in an earlier argument.
    set(key, to: value.map { .text(String(cString: $0)) }, on: id, by: .setProperty)
  }

  func set(
    _ key: UnsafePointer<CChar>?, to value: PropertyValue?, on id: UnsafePointer<CChar>?,
    by function: Function
  ) -> Int32 {
    guard let host = reachableHost(for: function) else { return TOUCHTREE_UNAVAILABLE }
    guard let id = text(id, "view", of: function) else { return TOUCHTREE_NO_SUCH_VIEW }
    guard let key = text(key, "key", of: function) else { return TOUCHTREE_NO_SUCH_PROPERTY }
    guard let value else {
      _ = text(nil, "value", of: function)
      return TOUCHTREE_BAD_VALUE
    }
    do {
      try host.set([PropertyValue.Entry(key: key, value: value)], on: id, isText: function == .setProperty)
      return TOUCHTREE_OK
    } catch {
      logger.warning("handler \(name): \(host.logged(error, on: id))")
      return error.code
    }
  }

  func number(
    _ key: UnsafePointer<CChar>?, of id: UnsafePointer<CChar>?, into number: UnsafeMutablePointer<Double>?
  ) -> Int32 {
    guard let host = reachableHost(for: .getNumber) else { return TOUCHTREE_UNAVAILABLE }
    guard let id = text(id, "view", of: .getNumber) else { return TOUCHTREE_NO_SUCH_VIEW }
    guard let key = text(key, "key", of: .getNumber) else { return TOUCHTREE_NO_SUCH_PROPERTY }
    guard let view = host.view(id: id) else { return noSuchView(id) }
    switch ViewProperty.named(key, of: view.kind)?.value(of: view) {
    case .number(let value)?: number?.pointee = value
    case .flag(let flag)?: number?.pointee = flag ? 1 : 0
    case nil: return TOUCHTREE_NO_SUCH_PROPERTY
    default: return TOUCHTREE_BAD_VALUE
    }
    return TOUCHTREE_OK
  }

  func set(_ value: UnsafePointer<CChar>?, asValue name: UnsafePointer<CChar>?) -> Int32 {
    guard let host = reachableHost(for: .setValue) else { return TOUCHTREE_UNAVAILABLE }
    guard let name = text(name, "name", of: .setValue) else { return TOUCHTREE_NO_SUCH_PROPERTY }
    guard let value = text(value, "value", of: .setValue) else { return TOUCHTREE_BAD_VALUE }
    do throws(PropertyError) {
      try host.setValues([PropertyValue.Entry(key: name, value: .text(value))], isText: true)
      return TOUCHTREE_OK
    } catch {
      logger.warning("handler \(self.name): \(error)")
      return host.bindings.values.place(of: name) == nil ? TOUCHTREE_NO_SUCH_PROPERTY : TOUCHTREE_BAD_VALUE
    }
  }

  func value(
    _ name: UnsafePointer<CChar>?, into number: UnsafeMutablePointer<Double>?
  ) -> Int32 {
    guard let host = reachableHost(for: .getValue) else { return TOUCHTREE_UNAVAILABLE }
    guard let name = text(name, "name", of: .getValue), let value = host.bindings.values.value(name) else {
      return TOUCHTREE_NO_SUCH_PROPERTY
    }
    switch value {
    case .number(let value): number?.pointee = value
    case .flag(let flag): number?.pointee = flag ? 1 : 0
    case .null, .text, .list, .map: return TOUCHTREE_BAD_VALUE
    }
    return TOUCHTREE_OK
  }

  func text(
    _ key: UnsafePointer<CChar>?, of id: UnsafePointer<CChar>?, into buffer: UnsafeMutablePointer<CChar>?,
    size: UInt32
  ) -> Int32 {
    guard let host = reachableHost(for: .getText) else { return TOUCHTREE_UNAVAILABLE }
    guard let id = text(id, "view", of: .getText) else { return TOUCHTREE_NO_SUCH_VIEW }
    guard let key = text(key, "key", of: .getText) else { return TOUCHTREE_NO_SUCH_PROPERTY }
    guard let view = host.view(id: id) else { return noSuchView(id) }
    guard let value = ViewProperty.named(key, of: view.kind)?.value(of: view) else {
      return TOUCHTREE_NO_SUCH_PROPERTY
    }
    guard case .text(let text) = value else { return TOUCHTREE_BAD_VALUE }
    guard let buffer, size > 0 else { return Int32(clamping: text.utf8.count) }
    // A cut inside a letter drops the letter.
    var length = 0
    for letter in text {
      if length + letter.utf8.count >= Int(size) { break }
      for byte in letter.utf8 {
        buffer[length] = CChar(bitPattern: byte)
        length += 1
      }
    }
    buffer[length] = 0
    return Int32(clamping: text.utf8.count)
  }

  private func noSuchView(_ id: String) -> Int32 {
    logger.warning("handler \(name): there is no view \"\(id)\"")
    return TOUCHTREE_NO_SUCH_VIEW
  }
}

extension PropertyError {
  fileprivate var code: Int32 {
    switch cause {
    case .noSuchView: TOUCHTREE_NO_SUCH_VIEW
    case .noSuchProperty, .notOfThisView: TOUCHTREE_NO_SUCH_PROPERTY
    case .badValue, .unusable: TOUCHTREE_BAD_VALUE
    }
  }
}
