import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Failure } from '../../../../shared/result/failure.ts';
import { acceptSettings, useConnection, useSettings } from '../../../bridge/live-state.tsx';
import { useStudio } from '../../../bridge/studio-context.tsx';
import { useFailureWords } from '../../../lib/failure-words.ts';
import { useText } from '../../../lib/text.ts';
import { Field } from '../../../ui/field.tsx';
import css from './settings-pages.module.css';

type Place = 'streamAddress' | 'callHost';

/**
 * The addresses of live streams and the legacy call, for services with separate hosts. Invalid input changes nothing.
 */
export function StreamPlaces() {
  const t = useText();
  const studio = useStudio();
  const queries = useQueryClient();
  const settings = useSettings();
  const { legacyKey } = useConnection();
  const [typed, setTyped] = useState({ streamAddress: settings.streamAddress, callHost: settings.callHost });
  const words = useFailureWords();
  const [refused, setRefused] = useState<{ readonly place: Place; readonly failure: Failure } | null>(null);
  const save = async (place: Place) => {
    if (typed[place].trim() === settings[place]) {
      setRefused(null);
      return;
    }
    // The other one may be half written.
    const isStream = place === 'streamAddress';
    const streamAddress = (isStream ? typed : settings).streamAddress;
    const callHost = (isStream ? settings : typed).callHost;
    const answer = await studio.request('connection.setPlaces', { streamAddress, callHost });
    if (!answer.ok) {
      setRefused({ place, failure: answer.error });
      return;
    }
    acceptSettings(queries, studio, answer.value);
    setTyped((before) => ({ ...before, [place]: answer.value[place] }));
    setRefused(null);
  };
  const errorOf = (place: Place, bad: string): string | null => {
    if (refused?.place !== place) return null;
    return refused.failure.row === 'E-234' ? `${bad} ${t('network.places.oldKept')}` : words(refused.failure).text;
  };
  const field = (place: Place, label: string, placeholder: string, bad: string) => (
    <Field
      label={label}
      placeholder={placeholder}
      value={typed[place]}
      onChange={(text) => {
        setTyped((before) => ({ ...before, [place]: text }));
      }}
      onBlur={() => void save(place)}
      onEnter={() => void save(place)}
      error={errorOf(place, bad)}
    />
  );
  return (
    <div className={css['placeFields']}>
      {field('streamAddress', t('network.places.stream'), 'wss://live.example.com', t('network.places.streamBad'))}
      {legacyKey.present &&
        field('callHost', t('network.places.host'), 'grpc.example.com:443', t('network.places.hostBad'))}
      <p className={css['placeHint']}>{t('network.places.hint')}</p>
    </div>
  );
}
