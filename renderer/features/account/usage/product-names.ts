import { useText } from '../../../lib/text.ts';

const named = [
  'transcribe',
  'dictate',
  'speak',
  'isolate',
  'voices',
  'clone',
  'ask',
  'webhooks',
  'account',
  'usage',
] as const;

/** A feature in the words of the interface; one that this version does not know keeps the service's name. */
export function useProductName(): (product: string) => string {
  const t = useText();
  return (product) => {
    const known = named.find((name) => name === product);
    return known === undefined ? product : t(`account.products.${known}`);
  };
}
