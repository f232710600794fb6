import { Plus } from 'lucide-react';
import { useRunCommand } from '../../lib/commands.tsx';
import { useText } from '../../lib/text.ts';
import { Mark } from '../../ui/mark.tsx';
import { PressButton } from '../../ui/press-button.tsx';
import css from './drop-zone.module.css';
import type { DragOver } from './use-file-drop.ts';

/** `isSmall`: one line, where little room is left for it. */
export function DropZone(props: { readonly isSmall?: boolean; readonly title: string; readonly text: string }) {
  const { isSmall = false, title, text } = props;
  const t = useText();
  const run = useRunCommand();
  const onBrowse = () => run('files.add');
  return isSmall ? (
    <PressButton className={css['line']} onPress={onBrowse}>
      <Plus aria-hidden size={14} strokeWidth={1.75} />
      <span className={css['lineTitle']}>{t('transcribe.drop.anywhere')}</span>
      <span className="thin subtle">{text}</span>
    </PressButton>
  ) : (
    <PressButton className={css['zone']} onPress={onBrowse}>
      <span aria-hidden className={css['art']}>
        <Mark size={28} />
      </span>
      <span className="grid fill">
        <b className={css['title']}>{title}</b>
        <span className="muted">{text}</span>
      </span>
    </PressButton>
  );
}

interface DropOverlayProps {
  readonly over: DragOver;
  readonly text?: string;
  readonly choices?: {
    readonly label: string;
    readonly usual: string;
    readonly options: readonly { readonly value: string; readonly text: string; readonly lang: string }[];
  };
}

/** Dropping on one of `choices` decides something; elsewhere the `usual` one applies. */
export function DropOverlay({ over, text: given, choices }: DropOverlayProps) {
  const t = useText();
  if (over.tag === 'none') return null;
  return (
    <output className={css['overlay']} data-layer>
      <div className={css['target']}>
        <span aria-hidden className={css['art']}>
          <Mark size={28} />
        </span>
        <div className="grid fill">
          <p className={css['title']}>
            {over.count > 0 ? t('transcribe.drop.over', { count: over.count }) : t('transcribe.drop.overUnknown')}
          </p>
          <p className="muted">{choices?.label ?? given ?? t('transcribe.drop.overHint')}</p>
        </div>
        {choices && (
          <ul className={css['choices']}>
            {choices.options.map(({ value, text, lang }) => (
              <li
                key={value}
                lang={lang}
                className={css['choice']}
                data-drop-on={value}
                data-chosen={(over.on ?? choices.usual) === value ? '' : undefined}
              >
                {text}
              </li>
            ))}
          </ul>
        )}
      </div>
    </output>
  );
}
