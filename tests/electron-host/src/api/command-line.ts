/** The switches passed to the browser, as `app.commandLine` shows them. */
export class CommandLine {
  readonly switches = new Map<string, string>();
  appendSwitch(name: string, value = ''): void {
    this.switches.set(name.replace(/^--/, ''), value);
  }
  hasSwitch(name: string): boolean {
    return this.switches.has(name);
  }
  getSwitchValue(name: string): string {
    return this.switches.get(name) ?? '';
  }
  removeSwitch(name: string): void {
    this.switches.delete(name);
  }
}
