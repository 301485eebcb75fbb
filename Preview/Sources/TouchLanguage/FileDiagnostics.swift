import SystemPackage
import TouchConfig
import TouchDaemon
import TouchRehearsal
import TouchTools

extension Workspace {
  /// Returns everything that `touchtree check` says of a file and of those that it includes, from the texts
  /// that are being written.
  func diagnostics(of path: String) -> [Diagnostic] {
    guard let file = file(path) else { return [] }
    if file.isRehearsal { return rehearsalDiagnostics(of: file) }
    do {
      let configuration = try Configuration.parse(
        bytes: file.bytes, file: path, checksImages: true, takesOthers: true
      ) { included throws(Errno) in try read(included) }
      guard configuration.contents == .views else { return configuration.warnings }
      // Warnings about the machine, such as who could change a program, have no place in the file.
      try configuration.checkHandlers(pluginFolders: PluginFolders.standard) { _ in }
      return configuration.warnings + (try TreeLint.warnings(of: configuration, on: []))
    } catch ConfigurationError.invalid(let diagnostics) {
      return diagnostics
    } catch {
      return [Diagnostic(file: path, place: .start, message: "\(error)")]
    }
  }

  private func rehearsalDiagnostics(of file: SourceFile) -> [Diagnostic] {
    do throws(ConfigurationError) {
      _ = try Rehearsal(file.bytes, file: file.path)
      return []
    } catch .invalid(let diagnostics) {
      return diagnostics
    } catch {
      return []
    }
  }
}

extension Outline {
  /// Returns the span of what stands at a place: a key, a scalar, or the rest of the line.
  func span(at location: SourceLocation) -> Span {
    let line = max(0, min(location.line - 1, lines.count - 1))
    let place = Place(line: line, column: min(max(0, location.column - 1), lines[line].count))
    if let span = span(startingAt: place, in: root), span.end.line == line { return span }
    let end = lines[line].lastIndex { $0 != " " && $0 != "\t" }.map { $0 + 1 } ?? lines[line].count
    return Span(place, Place(line: line, column: max(end, place.column)))
  }

  private func span(startingAt place: Place, in node: Node) -> Span? {
    switch node.content {
    case .nothing: return nil
    case .scalar: return node.span.start == place ? node.span : nil
    case .list(let items): return items.lazy.compactMap { span(startingAt: place, in: $0) }.first
    case .mapping(let entries):
      for entry in entries {
        if entry.span.start == place { return entry.span }
        if let span = span(startingAt: place, in: entry.value) { return span }
      }
      return nil
    }
  }
}
