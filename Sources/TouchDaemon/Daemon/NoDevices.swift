/// No input device can be used.
public struct NoDevices: Error, CustomStringConvertible {
  public var description: String {
    "no touchscreen, tablet or mouse to read: none is plugged in, or the configuration leaves it out. "
      + "`touchtree devices` says for each device why it is not used; --replay plays a recording instead."
  }
}
