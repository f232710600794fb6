import { FileText, Plus, X } from 'lucide-react';
import { mostAskedAbout } from '../../../../shared/domain/assistant/ask-tasks.ts';
import { useFormats, useText } from '../../../lib/text.ts';
import { Button } from '../../../ui/button.tsx';
import { IconButton } from '../../../ui/icon-button.tsx';
import { useTitleOf } from '../ask-hooks.ts';
import css from './sources-bar.module.css';

export interface SourcesBarProps {
  readonly ids: readonly string[];
  /** Roughly how much there is to read; null: not known yet. */
  readonly tokens: number | null;
  readonly onAdd: () => void;
  readonly onRemove: (transcriptId: string) => void;
}

/** What the question is about. */
export function SourcesBar({ ids, tokens, onAdd, onRemove }: SourcesBarProps) {
  const t = useText();
  const formats = useFormats();
  const titleOf = useTitleOf();
  return (
    <div className={css['bar']}>
      <span className={css['about']}>{t('ask.about')}</span>
      {ids.length > 0 && (
        <ul className={css['sources']} aria-label={t('ask.about')}>
          {ids.map((id) => {
            const title = titleOf(id);
            return (
              <li key={id} className={css['source']}>
                <FileText aria-hidden size={14} strokeWidth={1.75} />
                <span className={css['title']}>{title}</span>
                <IconButton
                  size="sm"
                  icon={X}
                  className={css['remove']}
                  label={t('ask.removeSource', { title })}
                  onPress={() => {
                    onRemove(id);
                  }}
                />
              </li>
            );
          })}
        </ul>
      )}
      <Button size="sm" variant="ghost" icon={Plus} isDisabled={ids.length >= mostAskedAbout} onPress={onAdd}>
        {t('ask.addTranscript')}
      </Button>
      {tokens !== null && ids.length > 0 && (
        <span className={css['tokens']}>{t('ask.tokens', { count: tokens, shown: formats.number(tokens) })}</span>
      )}
    </div>
  );
}
