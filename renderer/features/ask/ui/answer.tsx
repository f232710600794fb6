import { useMemo } from 'react';
import type { Citation } from '../../../../shared/domain/assistant/ask-messages.ts';
import { readAnswer, type AnswerBlock, type AnswerPiece } from '../../../../shared/domain/assistant/read-answer.ts';
import { clock } from '../../../../shared/domain/time/time-code.ts';
import { cx } from '../../../lib/class-names.ts';
import { useText } from '../../../lib/text.ts';
import { PressButton } from '../../../ui/press-button.tsx';
import css from './answer.module.css';

export interface AnswerProps {
  readonly text: string;
  readonly citations: readonly Citation[];
  /** While it arrives, nothing is marked as unsourced: the citation may follow in a moment. */
  readonly isArriving: boolean;
  /** Names the recordings where there are several; null: there is one. */
  readonly titleOf: ((transcriptId: string) => string) | null;
  readonly onCite: (citation: Citation) => void;
}

/** An answer in paragraphs and lists; citations are times that link to the moment. */
export function Answer({ text, citations, isArriving, titleOf, onCite }: AnswerProps) {
  const known = useMemo(() => new Map(citations.map((one) => [one.mark, one])), [citations]);
  const blocks = useMemo(() => readAnswer(text, new Set(known.keys())), [text, known]);
  const parts: { kind: AnswerBlock['kind']; blocks: AnswerBlock[] }[] = [];
  for (const block of blocks) {
    const last = parts.at(-1);
    const isList = block.kind === 'bullet' || block.kind === 'number';
    if (isList && last?.kind === block.kind) last.blocks.push(block);
    else parts.push({ kind: block.kind, blocks: [block] });
  }
  const write = ({ pieces }: AnswerBlock) => (
    <Pieces pieces={pieces} known={known} isArriving={isArriving} titleOf={titleOf} onCite={onCite} />
  );
  return (
    <div className={css['answer']} aria-busy={isArriving}>
      {parts.map(({ kind, blocks: own }, at) => {
        const key = String(at);
        const [first] = own;
        if (first === undefined) return null;
        if (kind === 'heading') return <h3 key={key}>{write(first)}</h3>;
        if (kind === 'paragraph')
          return (
            <p key={key} data-line={markIn(first)}>
              {write(first)}
            </p>
          );
        const List = kind === 'number' ? 'ol' : 'ul';
        return (
          <List key={key}>
            {own.map((block, index) => (
              // oxlint-disable-next-line react/no-array-index-key -- blocks only grow at the end
              <li key={index} data-line={markIn(block)}>
                {write(block)}
              </li>
            ))}
          </List>
        );
      })}
    </div>
  );
}

/** The first citation of a paragraph. */
const markIn = ({ pieces }: AnswerBlock): string => pieces.find((piece) => 'mark' in piece)?.mark ?? '';

interface PiecesProps extends Pick<AnswerProps, 'isArriving' | 'titleOf' | 'onCite'> {
  readonly pieces: readonly AnswerPiece[];
  readonly known: ReadonlyMap<string, Citation>;
}

function Pieces({ pieces, known, isArriving, titleOf, onCite }: PiecesProps) {
  const t = useText();
  return pieces.map((piece, at) => {
    const key = String(at);
    if (piece.kind === 'unsourced')
      return isArriving ? null : (
        <span key={key} className={css['noSource']}>
          {t('ask.noSource')}
        </span>
      );
    if (piece.kind === 'text') {
      const className = piece.isUnsourced && !isArriving ? css['unsourced'] : undefined;
      return piece.isBold ? (
        <b key={key} className={className}>
          {piece.text}
        </b>
      ) : (
        <span key={key} className={className}>
          {piece.text}
        </span>
      );
    }
    const citation = known.get(piece.mark);
    if (citation === undefined)
      return isArriving ? null : (
        <span key={key} className={css['noSource']}>
          {t('ask.unknownMark')}
        </span>
      );
    const time = clock(citation.startMs);
    const title = titleOf?.(citation.transcriptId) ?? '';
    return (
      <PressButton
        key={key}
        className={cx(css['source'], css['cite'])}
        label={t('ask.goTo', { time: `${title} ${time}`.trim() })}
        onPress={() => {
          onCite(citation);
        }}
      >
        {title !== '' && <span className={css['title']}>{title}</span>}
        {time}
      </PressButton>
    );
  });
}
