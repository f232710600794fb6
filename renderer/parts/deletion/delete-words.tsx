import { useConnection } from '../../bridge/live-state.tsx';
import { useText } from '../../lib/text.ts';
import { Switch } from '../../ui/switch.tsx';
import css from './delete-words.module.css';

export interface DeleteWordsProps {
  readonly atService: boolean;
  readonly onAtService: (atService: boolean) => void;
}

/** What goes, what stays, and the honest part about the service. */
export function DeleteWords({ atService, onAtService }: DeleteWordsProps) {
  const t = useText();
  const { mode } = useConnection();
  return (
    <div className={css['words']}>
      <p>{t('deletion.text')}</p>
      {mode === 'practice' ? (
        <p>{t('deletion.practice')}</p>
      ) : (
        <>
          <Switch
            label={t('deletion.atService')}
            hint={t('deletion.atServiceHint')}
            isOn={atService}
            onChange={onAtService}
          />
          {!atService && <p className={css['kept']}>{t('deletion.kept')}</p>}
        </>
      )}
    </div>
  );
}
