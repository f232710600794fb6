/**
 * Switches a packaged app may start with: looks and language of the desktop, and our own. Everything else that begins
 * like a switch is refused (S-25), so that one nobody thought of opens no debugger and weakens no sandbox.
 */
const allowed =
  /^(?:--hidden|-psn_\d+_\d+|--(?:ozone-platform|ozone-platform-hint|force-device-scale-factor|force-dark-mode|lang|disable-gpu|gtk-version|enable-wayland-ime)(?:=[\w.:-]*)?)$/;

/** The first argument that a packaged app must not start with, or null. Chromium on Windows reads `/switch` too. */
export function findDangerousSwitch(
  argv: readonly string[],
  platform: NodeJS.Platform = process.platform,
): string | null {
  const isSwitch = platform === 'win32' ? /^[-/]/ : /^-/;
  return argv.slice(1).find((argument) => isSwitch.test(argument) && !allowed.test(argument)) ?? null;
}
