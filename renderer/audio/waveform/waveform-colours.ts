/** Colours for a canvas, read from the tokens of the current theme. */
export interface WaveformColours {
  readonly text: string;
  readonly neutral: string;
  readonly ink: string;
  /** Of what is cut out, and of what is marked. */
  readonly veil: string;
  readonly accent: string;
  /** Index 0 is the neutral one, 1 to 8 are the speakers'. */
  readonly fill: readonly string[];
  readonly label: readonly string[];
  readonly uiFont: string;
  readonly monoFont: string;
}

/** Tokens are `light-dark()` pairs: only the style engine can resolve them, so they are read from an element. */
export function readColours(host: HTMLElement): WaveformColours {
  const probe = document.createElement('span');
  probe.hidden = true;
  host.append(probe);
  const colour = (token: string) => {
    probe.style.color = `var(${token})`;
    return getComputedStyle(probe).color;
  };
  const style = getComputedStyle(host);
  const speakers = [1, 2, 3, 4, 5, 6, 7, 8];
  const neutral = colour('--sand-9');
  const colours: WaveformColours = {
    text: colour('--fg-subtle'),
    neutral,
    ink: colour('--fg'),
    veil: colour('--bg-sunken'),
    accent: colour('--accent-line'),
    fill: [neutral, ...speakers.map((n) => colour(`--spk-${String(n)}`))],
    label: [colour('--fg-muted'), ...speakers.map((n) => colour(`--spk-${String(n)}-text`))],
    uiFont: style.getPropertyValue('--font-ui'),
    monoFont: style.getPropertyValue('--font-mono'),
  };
  probe.remove();
  return colours;
}
