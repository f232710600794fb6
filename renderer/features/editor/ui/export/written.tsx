import { Fragment } from 'react';
import { redactedText } from '../../../../../shared/domain/transcript/edit-marks.ts';
import css from './export-preview.module.css';

/** A text as it is written, in which redacted words are as quiet as in the editor: full blocks would outshine the text. */
export function Written({ text }: { readonly text: string }) {
  const [first, ...others] = text.split(redactedText);
  return (
    <>
      {first}
      {others.map((part, at) => (
        // oxlint-disable-next-line react/no-array-index-key -- the parts have no other name, and do not move
        <Fragment key={at}>
          <span className={css['redacted']}>{redactedText}</span>
          {part}
        </Fragment>
      ))}
    </>
  );
}
