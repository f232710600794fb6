import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { forAll } from '../../../tests/support/for-all.ts';
import { holdsKey } from './looks-like-key.ts';

it.each([
  'sk_live_0123456789abcdef',
  'my key is sk_test_CANARY_9f8e7d6c5b4a, please',
  'sk-proj-a1b2c3d4e5f6g7h8i9',
  'whsec_a1b2c3d4e5f6g7h8i9j0',
  'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJtZSJ9.c2lnbmF0dXJl',
  'Bearer mF9xB0kR7tQ2wZ5yL8vN3cJ6hG1dS4aP',
])('%s contains a key', (text) => {
  expect(holdsKey(text)).toBe(true);
});

it.each([
  '',
  'Interview 14, Bukhara',
  'Interview2024RecordingSessionBukharaWithProfessorKarimov.wav',
  'oral-history_test_take-2.mp3',
  'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
  '123e4567-e89b-42d3-a456-426614174000',
  'https://youtu.be/dQw4w9WgXcQ',
  'token economy in 2024 and the keyboard_shortcuts_reference',
  'Ўзбекистон Республикаси Конституцияси',
  'Gʻalaba bogʻida oʻtkazilgan suhbat',
  '+998 90 123 45 67, 2026-11-21 22:24:07',
])('%s is no key', (text) => {
  expect(holdsKey(text)).toBe(false);
});

it('random tokens of 256 bits are found in any sentence', () => {
  const missed = Array.from({ length: 2000 }, () => randomBytes(32).toString('base64url')).filter(
    (token) => !holdsKey(`so: ${token}.`),
  );
  expect(missed.length).toBeLessThan(40);
});

it('ordinary words are not taken for a key', () => {
  const word = fc.stringMatching(/^[A-Z]?[a-zʻʼ]{1,14}$/);
  forAll(fc.array(word, { maxLength: 40 }), (words) => {
    expect(holdsKey(words.join(' '))).toBe(false);
  });
});
