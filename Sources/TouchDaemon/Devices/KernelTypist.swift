import Logging
import TouchConfig
import TouchCore
import TouchInput
import TouchViews

/// What keyboards on the screen type into whose letters go to other programs (`to: kernel`). The kernel has a keyboard as long as the
/// tree has such a one.
final class KernelTypist: Responder, KeyInput {
  private let log: Logger
  private var keyboard: KernelKeyboard?
  private var settings = KeyboardSettings()
  /// The keyboards of the tree that is shown.
  private var sources: [KeyboardView] = []
  /// The letters without a key of which was told.
  private var told: Set<Character> = []

  /// More of them would hide what to do.
  private static let mostNamed = 12

  init(log: Logger) {
    self.log = log
    super.init(id: "kernel")
  }

  /// Serves the keyboards of a tree.
  ///
  /// - Parameter isRunning: false where a recording is played, which is not to type anywhere.
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
    told = []
    // The one before goes first: nothing is typed on two.
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

  /// What the other program has written is not known.
  var hasText: Bool { true }

  func insertText(_ text: String) {
    use { (keyboard) throws(DeviceError) in
      if try !keyboard.type(text) { tellOfMissing(keyboard) }
    }
  }

  func deleteBackward() {
    use { (keyboard) throws(DeviceError) in try keyboard.deleteBackward() }
  }

  private func use(_ body: (KernelKeyboard) throws(DeviceError) -> Void) {
    guard let keyboard else { return }
    do throws(DeviceError) {
      try body(keyboard)
    } catch {
      // With it, the kernel lifts what may be down.
      self.keyboard = nil
      log.error("to: kernel: the keyboard on the screen types nothing any more, until a reload: \(error)")
    }
  }

  /// Names every letter on the screen without a key, once: which one was typed may be a letter of a password.
  private func tellOfMissing(_ keyboard: KernelKeyboard) {
    var missing: [Character] = []
    for letter in sources.lazy.flatMap(\.layout.letters)
    where !keyboard.has(letter) && !missing.contains(letter) {
      missing.append(letter)
    }
    guard !told.isSuperset(of: missing) else { return }
    told.formUnion(missing)
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
