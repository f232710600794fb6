import { useText } from '../../../lib/text.ts';

const ids = [
  'speech_to_text',
  'stt_realtime',
  'text_to_speech',
  'tts_realtime',
  'audio_isolation',
  'voices',
  'llm',
  'webhooks',
] as const;
const levels = ['none', 'read', 'write', 'access'] as const;

/** Permissions and levels in the language of the interface; unknown ones keep the service's name. */
export function usePermissionWords() {
  const t = useText();
  return {
    name: (id: string): string => {
      const known = ids.find((one) => one === id);
      return known === undefined ? id : t(`account.permissions.${known}`);
    },
    level: (level: string): string => {
      const known = levels.find((one) => one === level);
      return known === undefined ? level : t(`account.levels.${known}`);
    },
  };
}
