import type { LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import css from './choice-card.module.css';

export interface ChoiceCardProps {
  /** Cards with the same name are one group of radio buttons; put them into a `fieldset` with a legend. */
  readonly name: string;
  readonly title: string;
  readonly text?: string;
  readonly icon: LucideIcon;
  readonly isChosen: boolean;
  readonly onChoose: () => void;
  /** Shown while the card is chosen. Its controls keep their own arrow keys. */
  readonly children?: ReactNode;
}

/** A large radio button that reveals its own content. */
export function ChoiceCard({ name, title, text, icon: Icon, isChosen, onChoose, children }: ChoiceCardProps) {
  return (
    <div className={css['card']} data-chosen={isChosen || undefined}>
      <label className={css['choice']}>
        <input className={css['input']} type="radio" name={name} checked={isChosen} onChange={onChoose} />
        <span aria-hidden className={css['dot']} />
        <span className={css['words']}>
          <span className={css['title']}>{title}</span>
          {text && <span className={css['text']}>{text}</span>}
        </span>
        <Icon aria-hidden size={20} strokeWidth={1.75} />
      </label>
      {isChosen && children && <div className={css['details']}>{children}</div>}
    </div>
  );
}
