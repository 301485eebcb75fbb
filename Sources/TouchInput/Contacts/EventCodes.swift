/// Event types and codes of the kernel's input protocol that the core understands.
/// (kernel `include/uapi/linux/input-event-codes.h`; the values are ABI.)
public enum EventCode {
  /// Types: the first number of an event.
  public static let syn: UInt16 = 0x00
  public static let key: UInt16 = 0x01
  public static let rel: UInt16 = 0x02
  public static let abs: UInt16 = 0x03

  /// Codes of `syn`: the end of a frame, the end of a contact in a type A list, and an overrun of the
  /// kernel's buffer.
  public static let synReport: UInt16 = 0
  public static let synMTReport: UInt16 = 2
  public static let synDropped: UInt16 = 3

  /// Codes of `rel`, in counts; wheels in notches, up and to the right being positive.
  public static let relX: UInt16 = 0x00
  public static let relY: UInt16 = 0x01
  public static let relHWheel: UInt16 = 0x06
  public static let relWheel: UInt16 = 0x08
  /// In 120ths of a notch.
  public static let relWheelHiRes: UInt16 = 0x0b
  public static let relHWheelHiRes: UInt16 = 0x0c

  /// Codes of `abs`, in device units.
  public static let absX: UInt16 = 0x00
  public static let absY: UInt16 = 0x01
  public static let absPressure: UInt16 = 0x18
  /// Which contact the MT codes after it are about.
  public static let absMTSlot: UInt16 = 0x2f
  public static let absMTTouchMajor: UInt16 = 0x30
  public static let absMTTouchMinor: UInt16 = 0x31
  public static let absMTPositionX: UInt16 = 0x35
  public static let absMTPositionY: UInt16 = 0x36
  public static let absMTToolType: UInt16 = 0x37
  /// -1 says that the slot's contact lifted; anything else names a contact.
  public static let absMTTrackingID: UInt16 = 0x39
  public static let absMTPressure: UInt16 = 0x3a
  public static let absMTDistance: UInt16 = 0x3b

  /// Codes of `key`. The mouse's own buttons go from `btnMouse`, which is the left one, to `btnTask`.
  public static let btnMouse: UInt16 = 0x110
  public static let btnLeft: UInt16 = 0x110
  public static let btnRight: UInt16 = 0x111
  public static let btnTask: UInt16 = 0x117
  public static let btnToolPen: UInt16 = 0x140
  public static let btnToolFinger: UInt16 = 0x145
  public static let btnTouch: UInt16 = 0x14a
  public static let btnStylus: UInt16 = 0x14b
}
