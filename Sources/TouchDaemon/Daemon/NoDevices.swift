/// No input device can be used.
package struct NoDevices: Error, CustomStringConvertible {
  package init() {}

  package var description: String {
    "no touchscreen, tablet or mouse to read: none is plugged in, or the configuration leaves it out. "
      + "`touchtree devices` says for each device why it is not used; --replay plays a recording instead."
  }
}
