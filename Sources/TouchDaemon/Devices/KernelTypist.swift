import Logging
import TouchConfig
import TouchCore
import TouchInput
import TouchViews

/// Types into other programs (`to: kernel`) by a keyboard of the kernel, while the tree has such a keyboard.
final class KernelTypist: Responder, KeyInput {
  private let log: Logger
  private var keyboard: KernelKeyboard?
  private var settings = KeyboardSettings()
  private var sources: [KeyboardView] = []
  private var reported: Set<Character> = []

  /// The most letters in a message. More would hide the advice.
  private static let mostNamed = 12

  init(log: Logger) {
    self.log = log
    super.init(id: "kernel")
  }

  func follow(_ tree: ViewTree, isRunning: Bool) {
    sources = tree.keyboards.filter { $0.destination == .kernel }
    for source in sources { source.typist = self }
    let wanted = tree.configuration.input.keyboard
    guard isRunning, !sources.isEmpty else {
      keyboard = nil
      return
    }
    guard keyboard == nil || wanted != settings else { return }
    settings = wanted
    reported = []
    // The previous keyboard ends first, so that nothing is typed on two.
    keyboard = nil
    do throws(DeviceError) {
      let made = try KernelKeyboard(wanted)
      keyboard = made
      log.notice("to: kernel: what is typed on the screen goes to other programs, as \(made.path)")
    } catch {
      log.error("to: kernel: the keyboard on the screen types nothing: \(error)")
    }
  }

  // MARK: Typing

  /// Always true, because the text of the other program is unknown.
  var hasText: Bool { true }

  func insertText(_ text: String) {
    use { (keyboard) throws(DeviceError) in if try !keyboard.type(text) { reportMissing(keyboard) } }
  }

  func deleteBackward() { use { (keyboard) throws(DeviceError) in try keyboard.deleteBackward() } }

  private func use(_ body: (KernelKeyboard) throws(DeviceError) -> Void) {
    guard let keyboard else { return }
    do throws(DeviceError) {
      try body(keyboard)
    } catch {
      // Without the keyboard, the kernel lifts keys that are down.
      self.keyboard = nil
      log.error("to: kernel: the keyboard on the screen types nothing any more, until a reload: \(error)")
    }
  }

  /// Reports every letter on the screen without a key, once: the typed one may be of a password.
  private func reportMissing(_ keyboard: KernelKeyboard) {
    var missing: [Character] = []
    for letter in sources.lazy.flatMap(\.layout.letters)
    where !keyboard.has(letter) && !missing.contains(letter) { missing.append(letter) }
    guard !reported.isSuperset(of: missing) else { return }
    reported.formUnion(missing)
    let named = missing.prefix(Self.mostNamed).map { String($0) }.joined(separator: " ")
    let more = missing.count > Self.mostNamed ? " and \(missing.count - Self.mostNamed) more" : ""
    let layout = settings.layout.map { "the layout \"\($0.escaped)\"" } ?? "the system's layout"
    log.warning(
      """
      to: kernel: \(layout) has no keys for \(named)\(more), so they are not typed; give the layout of the other program, with a key for \
      them, to input: {keyboard: {layout: …}}, or the keyboard on the screen another one
      """)
    if let problem = keyboard.problem { log.warning("to: kernel: \(problem)") }
  }
}
