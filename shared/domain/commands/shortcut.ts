/**
 * A shortcut by physical key, so that it works the same on Latin and Cyrillic layouts:
 * `Mod+KeyO`, `Shift+F6`, `Alt+Digit1`. `Mod` is Ctrl, and ⌘ on macOS.
 */
export type Shortcut = string;
