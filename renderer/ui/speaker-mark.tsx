import type { CSSProperties } from 'react';
import css from './speaker-mark.module.css';

const colourStyle = (colour: number) =>
  ({
    '--speaker': `var(--spk-${String(colour)})`,
    '--speaker-text': `var(--spk-${String(colour)}-text)`,
  }) as CSSProperties;

export function ColourMark({ colour }: { readonly colour: number }) {
  return <span aria-hidden className={css['mark']} style={colourStyle(colour)} />;
}

interface SpeakerMarkProps {
  readonly number: number;
  readonly name: string;
  readonly colour?: number;
}

/** The ninth speaker has the first colour again with the number 9. */
export function SpeakerMark({ number, name, colour = ((number - 1) % 8) + 1 }: SpeakerMarkProps) {
  return (
    <span className={css['speaker']} style={colourStyle(colour)}>
      <span aria-hidden className={css['mark']} data-dark={[2, 4, 5].includes(colour) || undefined}>
        {number}
      </span>
      <span className="thin cut">{name}</span>
    </span>
  );
}
