import { Copy, ExternalLink, Play } from 'lucide-react';
import { useState, type MouseEvent, type ReactNode } from 'react';
import type { Citation } from '../../../../shared/domain/assistant/ask-messages.ts';
import { clock } from '../../../../shared/domain/time/time-code.ts';
import { useText } from '../../../lib/text.ts';
import { MenuAt, type MenuEntry, type MenuPoint } from '../../../ui/menu.tsx';
import { useCopy } from '../../../ui/notices.ts';

interface AnswerMenuProps {
  readonly answer: string;
  readonly citations: readonly Citation[];
  readonly onCite: (citation: Citation) => void;
  readonly onOpen: (citation: Citation) => void;
}

interface Pressed {
  readonly at: MenuPoint;
  /** What is selected there; empty: nothing. */
  readonly selected: string;
  /** The words of the paragraph or segment under the pointer; empty: there is none. */
  readonly line: string;
  readonly citation: Citation | undefined;
}

/** The context menu of an answer; `open` handles its `contextmenu` event, which Shift+F10 sends too. */
export function useAnswerMenu({ answer, citations, onCite, onOpen }: AnswerMenuProps): {
  readonly open: (event: MouseEvent) => void;
  readonly shown: ReactNode;
} {
  const t = useText();
  const copyText = useCopy();
  const [pressed, setPressed] = useState<Pressed | null>(null);
  const open = (event: MouseEvent) => {
    if (answer === '' || !(event.target instanceof Element)) return;
    event.preventDefault();
    const line = event.target.closest<HTMLElement>('[data-line]');
    const { left, bottom } = event.target.getBoundingClientRect();
    setPressed({
      // Keys have no point.
      at: event.button === 2 ? { x: event.clientX, y: event.clientY } : { x: left, y: bottom },
      selected: window.getSelection()?.toString() ?? '',
      line: (line?.querySelector('[data-words]') ?? line)?.textContent.trim() ?? '',
      citation: citations.find(({ mark }) => mark === line?.dataset['line']),
    });
  };
  const copy = (id: string, text: string, words: string): MenuEntry => ({
    id,
    text,
    icon: Copy,
    onAction: () => void copyText(words),
  });
  const entriesOf = ({ selected, line, citation }: Pressed): readonly MenuEntry[] => {
    const time = citation && clock(citation.startMs);
    return [
      ...(selected === '' ? [] : [copy('selection', t('ask.copySelection'), selected)]),
      ...(line === '' ? [] : [copy('line', t('ask.copyLine'), line)]),
      copy('answer', t('ask.copy'), answer),
      ...(citation === undefined || time === undefined
        ? []
        : [
            'separator' as const,
            {
              id: 'hear',
              text: t('ask.hear', { time }),
              icon: Play,
              onAction: () => {
                onCite(citation);
              },
            },
            {
              id: 'open',
              text: t('ask.openAt', { time }),
              icon: ExternalLink,
              onAction: () => {
                onOpen(citation);
              },
            },
          ]),
    ];
  };
  return {
    open,
    shown: pressed && (
      <MenuAt
        label={t('ask.answerMenu')}
        at={pressed.at}
        entries={entriesOf(pressed)}
        onClose={() => {
          setPressed(null);
        }}
      />
    ),
  };
}
