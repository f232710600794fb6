import { ArrowRight, Info, MicOff } from 'lucide-react';
import { useId, useState } from 'react';
import { useHasMicrophone } from '../../../../audio/capture/use-has-microphone.ts';
import { findDetailTroubles, noDetails } from '../../../../../shared/domain/voices/clone-rules.ts';
import { useText } from '../../../../lib/text.ts';
import { Banner } from '../../../../ui/banner.tsx';
import { Button } from '../../../../ui/button.tsx';
import { DetailsForm } from '../details-form.tsx';
import { Sending, CloneFailure, useWait } from './clone-failure.tsx';
import css from './clone-wizard.module.css';
import type { StepProps } from './use-clone.ts';
import { DraftSaved } from './transcript-step.tsx';

/** Name and labels of the voice, and the consent without which nothing continues. */
export function DetailsStep({ clone, frame, onLook }: StepProps) {
  const t = useText();
  const id = useId();
  const { draft } = clone;
  const details = draft?.details ?? noDetails;
  const [wasTried, setWasTried] = useState(false);
  const waitMs = useWait(clone);
  const hasConsent = draft?.hasConsent === true;
  const hasMicrophone = useHasMicrophone();
  const isReading = draft?.step === 'read' && draft.challenge !== null;
  const ask = async () => {
    if (findDetailTroubles(details).length > 0) {
      setWasTried(true);
      return;
    }
    const sent = await clone.send('challenge');
    if (sent?.step === 'read') onLook(null);
  };
  return frame({
    body: (
      <>
        <DetailsForm
          details={details}
          showsTroubles={wasTried}
          onChange={(changed) => {
            clone.change({ details: changed });
          }}
        />
        <div className={css['consent']}>
          <input
            id={id}
            type="checkbox"
            checked={hasConsent}
            onChange={({ target }) => {
              clone.change({ hasConsent: target.checked });
            }}
          />
          <div>
            <label htmlFor={id} className={css['label']}>
              {t('voices.wizard.consent')}
            </label>
            <p className={css['hint']}>{t('voices.wizard.consentHint')}</p>
          </div>
        </div>
        <div className={css['underText']}>
          <span />
          <DraftSaved saving={clone.saving} />
        </div>
        {clone.capabilities?.eligible === false && draft?.failure === null && (
          <Banner icon={Info} title={t('voices.wizard.free')}>
            {t('voices.wizard.plan')}
          </Banner>
        )}
        {!hasMicrophone && (
          <Banner tone="warn" icon={MicOff} title={t('voices.wizard.mic.absent')}>
            {t('voices.wizard.mic.absentNext')}
          </Banner>
        )}
        <CloneFailure clone={clone} />
      </>
    ),
    footer: (
      <>
        <Button variant="ghost" isDisabled={clone.sending !== null} onPress={() => onLook('transcript')}>
          {t('voices.wizard.back')}
        </Button>
        <span className={css['footNote']}>
          {clone.sending !== null ? (
            <Sending clone={clone} />
          ) : (
            t(hasConsent && details.name.trim() !== '' ? 'voices.wizard.nextRead' : 'voices.wizard.needsDetails')
          )}
        </span>
        <Button
          variant={isReading ? 'default' : 'primary'}
          {...(!isReading && { iconAfter: ArrowRight })}
          isLoading={clone.sending !== null}
          isDisabled={!hasConsent || waitMs > 0}
          onPress={() => void ask()}
        >
          {t(draft?.step === 'read' ? 'voices.wizard.newText' : 'voices.wizard.getText')}
        </Button>
        {isReading && (
          <Button variant="primary" iconAfter={ArrowRight} onPress={() => onLook(null)}>
            {t('voices.wizard.next')}
          </Button>
        )}
      </>
    ),
  });
}
