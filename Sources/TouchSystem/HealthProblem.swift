/// A reason why touchtree does not do its work, as `touchtree health` names it.
package struct HealthProblem: Hashable, Sendable {
  /// The names of problems. docs/displays.md has them with what to do.
  package enum Code: String, CaseIterable, Sendable {
    // The daemon knows these.
    case fallback
    case notReloaded = "not_reloaded"
    case notShown = "not_shown"
    case noDevice = "no_device"
    case deviceMissing = "device_missing"
    case stuckFinger = "stuck_finger"
    case slowTouches = "slow_touches"
    case pluginOff = "plugin_off"
    case pluginSlow = "plugin_slow"
    case processDown = "process_down"
    case notWritten = "not_written"
    // Only a program beside the daemon can know these.
    case notRunning = "not_running"
    case noAnswer = "no_answer"
    case notPermitted = "not_permitted"
    case notUnderstood = "not_understood"
    // The glass shows these.
    case cableOut = "cable_out"
    case displayOff = "display_off"
    case backlightOff = "backlight_off"
    case otherTerminal = "other_terminal"
    case otherPicture = "other_picture"
    case otherPixels = "other_pixels"
  }

  /// One of `Code`, or a name of a later version.
  package let code: String
  package let message: String

  package init(code: String, message: String) { (self.code, self.message) = (code, message) }

  package init(_ code: Code, _ message: String) { self.init(code: code.rawValue, message: message) }
}
