import { Check, CircleAlert, ClipboardPaste, KeyRound, LockKeyhole, Pencil, Trash2 } from 'lucide-react';
import { useId, useState, type ReactNode } from 'react';
import { VisuallyHidden } from 'react-aria-components';
import { cx } from '../../lib/class-names.ts';
import { useFailureWords } from '../../lib/failure-words.ts';
import { useText } from '../../lib/text.ts';
import { Button } from '../../ui/button.tsx';
import { Question } from '../../ui/dialog.tsx';
import field from '../../ui/field.module.css';
import { IconButton } from '../../ui/icon-button.tsx';
import { Spinner } from '../../ui/spinner.tsx';
import type { CheckState, ConnectionFormState } from './use-connection-form.ts';
import css from './connection-form.module.css';

/**
 * Shows that there is a key and its last characters, never more: the key itself stays in main and its own small window.
 */
export function KeyField({
  form,
  isNew,
}: {
  readonly form: ConnectionFormState;
  /** What a key is has to be said. */
  readonly isNew: boolean;
}) {
  const t = useText();
  const words = useFailureWords();
  const labelId = useId();
  const hintId = useId();
  const [isForgetting, setIsForgetting] = useState(false);
  const { key } = form.connection;
  const isMissing = form.isAskedFor && !key.present;
  const error = form.keyFailure ? words(form.keyFailure).text : isMissing ? t('welcome.key.missing') : null;
  return (
    <fieldset className={css['keyField']} aria-labelledby={labelId} aria-describedby={hintId}>
      <span id={labelId} className={css['label']}>
        {t('welcome.key.label')}
      </span>
      <div className={css['keyRow']}>
        <div className={cx(field['box'], css['key'])} data-invalid={error === null ? undefined : true}>
          <LockKeyhole aria-hidden size={16} strokeWidth={1.75} />
          {key.present ? (
            <>
              <span className={css['masked']}>
                <VisuallyHidden>{t('welcome.key.masked', { suffix: key.maskedSuffix })}</VisuallyHidden>
                <span aria-hidden>
                  <span className={css['dots']}>••••••••••••</span>
                  {key.maskedSuffix}
                </span>
              </span>
              <KeyState check={form.check} />
            </>
          ) : (
            <span className={css['none']}>{t('welcome.key.none')}</span>
          )}
        </div>
        {key.present ? (
          <>
            <IconButton
              variant="default"
              icon={Pencil}
              label={t('welcome.key.replace')}
              onPress={() => void form.enterKey()}
            />
            <IconButton
              variant="default"
              icon={ClipboardPaste}
              label={t('welcome.key.paste')}
              onPress={() => void form.askKey('connection.pasteKey')}
            />
            {key.store !== 'environment' && (
              <IconButton
                variant="default"
                icon={Trash2}
                label={t('welcome.key.forget')}
                onPress={() => {
                  setIsForgetting(true);
                }}
              />
            )}
          </>
        ) : (
          <>
            <Button icon={KeyRound} onPress={() => void form.enterKey()}>
              {t('welcome.key.enter')}
            </Button>
            <Button icon={ClipboardPaste} onPress={() => void form.askKey('connection.pasteKey')}>
              {t('welcome.key.paste')}
            </Button>
          </>
        )}
      </div>
      {error === null && isNew && (
        <p id={hintId} className={css['hint']}>
          {t('welcome.key.hint')}
        </p>
      )}
      {error && (
        <p role="alert" className={css['error']}>
          <CircleAlert aria-hidden size={14} strokeWidth={1.75} />
          <span>{error}</span>
        </p>
      )}
      <Question
        isDanger
        title={t('welcome.key.forgetQuestion')}
        confirm={t('welcome.key.forget')}
        isOpen={isForgetting}
        onClose={() => {
          setIsForgetting(false);
        }}
        onConfirm={() => void form.askKey('connection.forgetKey')}
      >
        {t('welcome.key.forgetText')}
      </Question>
    </fieldset>
  );
}

function KeyState({ check }: { readonly check: CheckState }): ReactNode {
  const t = useText();
  if (check.tag === 'checking') {
    return (
      <span className={css['state']}>
        <Spinner /> {t('welcome.key.checking')}
      </span>
    );
  }
  const answer = check.tag === 'checked' ? check.report.key : 'not-checked';
  switch (answer) {
    case 'accepted':
      return (
        <span className={`${css['state'] ?? ''} ${css['good'] ?? ''}`}>
          <Check aria-hidden size={14} /> {t('welcome.key.works')}
        </span>
      );
    case 'refused':
      return <span className={`${css['state'] ?? ''} ${css['bad'] ?? ''}`}>{t('welcome.key.refused')}</span>;
    case 'legacy-generation':
      return <span className={`${css['state'] ?? ''} ${css['bad'] ?? ''}`}>{t('welcome.key.legacyTitle')}</span>;
    case 'missing':
    case 'not-checked':
      return <span className={css['state']}>{t('welcome.key.unchecked')}</span>;
  }
}
