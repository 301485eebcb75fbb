import Foundation
import Logging
import Testing

@testable import TouchConfig
@testable import TouchCore
@testable import TouchDaemon
@testable import TouchHandlers
@testable import TouchInput
@testable import TouchSystem
@testable import TouchViews

/// Every example can be worked to its last control with three keys (tab, enter and escape), without a change
/// to its file.
@Suite
struct KeysOnlyTests {
  private static let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(
    path: "../../config/examples")

  /// All that are in the folder.
  private static let examples: [String] = {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    return names.filter { $0.hasSuffix(".yaml") }.map { String($0.dropLast(5)) }.sorted()
  }()

  /// What the user of an example knows: what to write into its fields, and which buttons of a pad are a PIN.
  private struct Knowledge {
    var texts: [String: String] = [:]
    var pin: [String] = []

    init(of example: String) {
      switch example {
      case "pin": texts = ["pin": "1234"]
      case "lock", "charger": texts = ["pin": "2580"]
      case "wifi": texts = ["password": "workshop"]
      case "kiosk": pin = ["2", "5", "8", "0", "OK"]
      default: break
      }
    }
  }

  /// Who has three keys, and looks at what they do.
  private final class User: DispatchObserver {
    let tree: ViewTree
    let pipeline: InputPipeline
    private let host: TouchDaemon.Host
    private let children: ChildProcesses
    private let knowledge: Knowledge
    private var now = Timestamp.zero
    /// The controls that have sent that they were used.
    private(set) var used: Set<String> = []
    /// The fields that were written into.
    private(set) var written: Set<String> = []

    init(of example: String) throws {
      var configuration = try Configuration.load(path: folder.appending(path: example + ".yaml").path)
      // What the file's actions do is here; programs are not.
      configuration.handlers = []
      let size = configuration.display.canvasSize ?? Size(width: 800, height: 480)
      tree = ViewTree(configuration, canvasSize: size)
      pipeline = InputPipeline(tree, geometry: DisplayGeometry(displaySize: size))
      knowledge = Knowledge(of: example)
      let log = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
      host = TouchDaemon.Host(loop: try EventLoop(), tree: tree, logger: log)
      children = ChildProcesses(host: host)
      let factory = HandlerFactory(plugins: PluginLocator(folders: []), children: children, host: host)
      tree.attach(try tree.makeHandlers(from: factory))
      pipeline.dispatcher.observer = self
      // Pages are where they go at once.
      tree.window.reducesMotion = true
      turn()
    }

    /// A command of an action that is still there would keep exit tests waiting.
    func end() { children.end() }

    var system: FocusSystem { tree.window.focusSystem }

    func press(_ code: KeyCode) {
      for kind in [PressChange.Kind.began, .ended] {
        now.microseconds += 10_000
        pipeline.apply([PressChange(device: DeviceID(rawValue: 1), kind: kind, key: Key(code))], at: now)
        turn()
      }
    }

    private func turn() {
      pipeline.endTurn()
      tree.bindings.settle()
      tree.window.layoutIfNeeded()
      system.updateIfNeeded()
    }

    func observe(_ step: DispatchStep) {
      guard case .control(let control, let action, _)? = step.viewStep else { return }
      if action == .touchUpInside || action == .valueChanged { used.insert(control.id) }
      // A field that is edited from the start is never pressed.
      if action == .editingChanged {
        used.insert(control.id)
        written.insert(control.id)
      }
    }

    /// Goes on with tab until something that is called so has the focus. From the end of the keyboard that
    /// leads back to the field, and enter to its first key.
    private func find(_ name: String) -> Bool {
      for _ in 0..<200 {
        if system.focusedItem?.shownText == name { return true }
        let isField = system.focusedItem?.view === tree.window.firstResponder
        press(isField && system.keyboard == nil ? .enter : .tab)
      }
      return false
    }

    /// Writes with the keyboard on the screen, which is focused.
    private func write(into field: TextField) {
      for letter in knowledge.texts[field.id] ?? "e" {
        // The first letter of a sentence is a capital, by itself.
        guard let keyboard = system.keyboard as? KeyboardView,
          find(keyboard.shift == .off ? String(letter) : letter.uppercased())
        else { break }
        press(.enter)
      }
      if system.keyboard != nil, find("return") { press(.enter) }
      if system.keyboard != nil { press(.escape) }
    }

    /// Uses everything that tab leads to, until many rounds have brought nothing new. A button that was
    /// pressed is pressed again now and then, since it may lead to another page, and left alone otherwise,
    /// since it may lead away from one. So is a field for which there is a text.
    func useEverything() {
      var seen: Set<String> = []
      var (quiet, dice) = (0, UInt64(1))
      while quiet < 500 {
        press(.tab)
        guard let item = system.focusedItem else { return }
        let isNew = seen.insert("\(item.view.id) \(item.part ?? -1)").inserted
        quiet = isNew ? 0 : quiet + 1
        dice = dice &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        let leadsOn = item.view is Button || knowledge.texts[item.view.id] != nil
        guard isNew || leadsOn && (dice >> 33) % 3 == 0 else { continue }
        if let first = knowledge.pin.first, item.shownText == first {
          // The last key clears what was typed before.
          for name in knowledge.pin.suffix(1) + knowledge.pin where find(name) { press(.enter) }
          continue
        }
        press(.enter)
        if system.keyboard != nil, let field = tree.window.firstResponder as? TextField {
          write(into: field)
        }
        if system.isEditing {
          press(.tab)
          press(.escape)
        }
      }
    }
  }

  @Test func `the folder has examples`() { #expect(Self.examples.count >= 11) }

  @Test(arguments: examples)
  func `an example is worked with three keys`(_ name: String) throws {
    let user = try User(of: name)
    defer { user.end() }
    user.useEverything()
    let controls = user.tree.configuration.views.compactMap { view -> Control? in
      guard view.kind.isControl, let made = user.tree.viewsByID[view.id] as? Control, made.isEnabled,
        made.isUserInteractionEnabled
      else { return nil }
      return made
    }
    #expect(Set(controls.map(\.id)).subtracting(user.used) == [])
    #expect(Set(controls.lazy.filter { $0 is TextField }.map(\.id)).subtracting(user.written) == [])
    #expect(user.pipeline.pressDispatcher.presses.isEmpty)
  }
}
