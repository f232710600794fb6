#!/usr/bin/env python3
"""Generates the sample recordings of assets/samples with the exact time of every word, and the noisy one of assets/noisy.

Needs libespeak-ng.so.1 and ffmpeg, nothing else. Run from anywhere: python3 scripts/make-samples.py [names]
The engine reports when each word begins; where a word ends is measured in the audio.
"""

import array
import ctypes
import hashlib
import json
import math
import random
import subprocess
import sys
import wave
from pathlib import Path

FOLDER = Path(__file__).resolve().parent.parent / "assets" / "samples"

LEAD_MS = 700
TAIL_MS = 900
BETWEEN_SENTENCES_MS = 420
BETWEEN_SPEAKERS_MS = 780
ROOM_TONE_LEVEL = 14  # of 32768: a quiet room instead of digital silence
VOICE_LEVEL = 0.62
AUDIBLE = 260  # of 32768: a word ends at its last sample above this

SAMPLES = [
    {
        "name": "interview-uz",
        "language": "uz",
        "encode": ["-c:a", "libmp3lame", "-b:a", "48k"],
        "extension": "mp3",
        "voices": {
            "SPEAKER_00": {"voice": "uz+f2", "rate": 172, "pitch": 58},
            "SPEAKER_01": {"voice": "uz+m3", "rate": 164, "pitch": 32},
        },
        "turns": [
            ("SPEAKER_00", ["Assalomu alaykum, usta!", "Bugun biz Rishtonda, kulolchilik ustaxonasidamiz.", "Bu hunarni qachon oʻrgana boshlagansiz?"]),
            ("SPEAKER_01", ["Vaalaykum assalom.", "Men yetti yoshimda bobomning yonida loy qorishni boshlaganman.", "Oʻshandan beri oʻttiz yil oʻtdi."]),
            ("SPEAKER_00", ["Mashhur moviy sir nimadan tayyorlanadi?"]),
            ("SPEAKER_01", ["Sirni choʻl oʻsimliklarining kulidan tayyorlaymiz.", "Kulni elaymiz, keyin uni qum bilan aralashtirib, olovda eritamiz."]),
            ("SPEAKER_00", ["Yoshlar bu ishga qiziqyaptimi?"]),
            ("SPEAKER_01", ["Ha, hozir oʻn ikki nafar shogirdim bor.", "Eng muhimi, ular sabr qilishni oʻrganishyapti."]),
        ],
    },
    {
        "name": "lecture-ru",
        "language": "ru",
        "encode": ["-c:a", "libopus", "-b:a", "32k", "-ar", "48000"],
        "extension": "ogg",
        "voices": {"SPEAKER_00": {"voice": "ru+m7", "rate": 150, "pitch": 42}},
        "turns": [
            (
                "SPEAKER_00",
                [
                    "Сегодня на лекции мы говорим о решении суда.",
                    "В решении четыре части: вводная, описательная, мотивировочная и резолютивная.",
                    "Суд объясняет, какие доказательства он принял и почему.",
                    "Если решение не обжаловали в течение месяца, оно вступает в силу.",
                ],
            )
        ],
    },
    {
        "name": "podcast-en",
        "language": "en",
        "encode": ["-c:a", "flac", "-compression_level", "12"],
        "extension": "flac",
        "voices": {"SPEAKER_00": {"voice": "gmw/en+f3", "rate": 158, "pitch": 50}},
        "turns": [
            (
                "SPEAKER_00",
                [
                    "Welcome to Clay and Fire, a podcast about people who still make things by hand.",
                    "I am recording this in a small workshop, and the kiln behind me is already warm.",
                    "Today we talk about patience, about broken bowls, and about a blue that never comes out the same twice.",
                ],
            )
        ],
    },
]


NOISY_FOLDER = FOLDER.parent / "noisy"

NOISY = {
    "name": "street-uz",
    "voices": {"SPEAKER_00": {"voice": "uz+m3", "rate": 160, "pitch": 38}},
    "turns": [
        (
            "SPEAKER_00",
            [
                "Assalomu alaykum, men hozir Chorsu bozori yonidagi bekatdaman.",
                "Orqamda mashinalar oʻtyapti, shamol ham bor.",
                "Ertaga soat toʻqqizda ustaxonada uchrashamiz, yangi idishlarni olib kelaman.",
            ],
        )
    ],
}

# A street: the rumble of engines that swells and fades, the hiss of tyres, and wind.
STREET = (
    "[0:a]aresample=48000,volume=0.8[voice];"
    "anoisesrc=c=brown:r=48000:a=0.55:seed=7,lowpass=f=700,tremolo=f=0.13:d=0.65[engines];"
    "anoisesrc=c=pink:r=48000:a=0.16:seed=11,highpass=f=500,tremolo=f=0.21:d=0.5[tyres];"
    "anoisesrc=c=white:r=48000:a=0.02:seed=13[wind];"
    "[voice][engines][tyres][wind]amix=inputs=4:duration=first:normalize=0,alimiter=limit=0.95:level=0[out]"
)


class Id(ctypes.Union):
    _fields_ = [("number", ctypes.c_int), ("name", ctypes.c_char_p), ("string", ctypes.c_char * 8)]


class Event(ctypes.Structure):
    _fields_ = [
        ("type", ctypes.c_int),
        ("unique_identifier", ctypes.c_uint),
        ("text_position", ctypes.c_int),
        ("length", ctypes.c_int),
        ("audio_position", ctypes.c_int),
        ("sample", ctypes.c_int),
        ("user_data", ctypes.c_void_p),
        ("id", Id),
    ]


CALLBACK = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.POINTER(ctypes.c_short), ctypes.c_int, ctypes.POINTER(Event))
SYNCHRONOUS, END_OF_EVENTS, WORD_EVENT = 2, 0, 1
RATE, PITCH, RANGE, UTF8 = 1, 3, 4, 1


class Engine:
    def __init__(self):
        self.library = ctypes.CDLL("libespeak-ng.so.1")
        self.sample_rate = self.library.espeak_Initialize(SYNCHRONOUS, 0, None, 0)
        if self.sample_rate <= 0:
            sys.exit("espeak-ng could not be started")
        self.samples = array.array("h")
        self.words = []
        self.callback = CALLBACK(self.receive)
        self.library.espeak_SetSynthCallback(self.callback)

    def receive(self, wav, count, events):
        if wav and count > 0:
            self.samples.extend(wav[0:count])
        at = 0
        while events[at].type != END_OF_EVENTS:
            if events[at].type == WORD_EVENT:
                self.words.append((events[at].text_position - 1, events[at].audio_position))
            at += 1
        return 0

    def speak(self, text, voice):
        """Samples of a sentence, and (character, milliseconds) of each word that the engine announced."""
        self.samples, self.words = array.array("h"), []
        if self.library.espeak_SetVoiceByName(voice["voice"].encode()) != 0:
            sys.exit(f"espeak-ng has no voice {voice['voice']}")
        self.library.espeak_SetParameter(RATE, voice["rate"], 0)
        self.library.espeak_SetParameter(PITCH, voice["pitch"], 0)
        self.library.espeak_SetParameter(RANGE, 62, 0)
        # The engine pronounces the plain apostrophe better; the text keeps its own letter.
        spoken = text.replace("\u02bb", "'").encode() + b"\0"
        self.library.espeak_Synth(spoken, len(spoken), 0, 0, 0, UTF8, None, None)
        self.library.espeak_Synchronize()
        return self.samples, self.words


def trimmed(samples):
    loud = [at for at in range(0, len(samples)) if abs(samples[at]) > AUDIBLE]
    return loud[0], loud[-1] + 1


def word_times(text, samples, announced, sample_rate):
    """Begin and end of each written word, in samples of the sentence."""
    tokens, at = [], 0
    for token in text.split():
        at = text.index(token, at)
        tokens.append((token, at))
        at += len(token)
    starts = []
    for token, position in tokens:
        own = [ms for character, ms in announced if position <= character < position + len(token)]
        starts.append(own[0] * sample_rate // 1000 if own else None)
    first, last = trimmed(samples)
    if starts[0] is None or starts[0] < first:
        starts[0] = first
    for index, start in enumerate(starts):
        if start is not None:
            continue
        # The engine reports two short words spoken as one only once: split the time by their lengths.
        following = next((later for later in starts[index + 1 :] if later is not None), last)
        before = len(tokens[index - 1][0])
        starts[index] = starts[index - 1] + (following - starts[index - 1]) * before // (before + len(tokens[index][0]))
    words = []
    for index, (token, _) in enumerate(tokens):
        start = starts[index]
        limit = starts[index + 1] if index + 1 < len(tokens) else last
        loud = [at for at in range(start, limit) if abs(samples[at]) > AUDIBLE]
        words.append((token, start, (loud[-1] + 1) if loud else limit))
    return words


def room_tone(length, generator):
    """Soft brown noise: each sample leans on the one before."""
    tone, value = array.array("h", bytes(2 * length)), 0.0
    for at in range(length):
        value = 0.96 * value + generator.gauss(0, 1)
        tone[at] = round(ROOM_TONE_LEVEL * value / 3.6)
    return tone


def make(sample, engine):
    rate = engine.sample_rate
    pieces, segments, position = [], [], LEAD_MS * rate // 1000
    for turn, (speaker, sentences) in enumerate(sample["turns"]):
        if turn > 0:
            position += (BETWEEN_SPEAKERS_MS - BETWEEN_SENTENCES_MS) * rate // 1000
        for text in sentences:
            samples, announced = engine.speak(text, sample["voices"][speaker])
            begin, end = trimmed(samples)
            words = [
                {"text": token, "startMs": round((position + start - begin) * 1000 / rate), "endMs": round((position + stop - begin) * 1000 / rate)}
                for token, start, stop in word_times(text, samples, announced, rate)
            ]
            segments.append({"startMs": words[0]["startMs"], "endMs": words[-1]["endMs"], "speaker": speaker, "text": text, "words": words})
            pieces.append((position, samples[begin:end]))
            position += end - begin + BETWEEN_SENTENCES_MS * rate // 1000
    length = position - BETWEEN_SENTENCES_MS * rate // 1000 + TAIL_MS * rate // 1000
    sound = room_tone(length, random.Random(sample["name"]))
    peak = max(abs(value) for _, piece in pieces for value in piece)
    gain = VOICE_LEVEL * 32767 / peak
    for start, piece in pieces:
        for offset, value in enumerate(piece):
            sound[start + offset] = max(-32768, min(32767, sound[start + offset] + round(value * gain)))
    return sound, segments, rate


def write(sample, sound, segments, rate):
    raw = FOLDER / f"{sample['name']}.tmp.wav"
    audio = FOLDER / f"{sample['name']}.{sample['extension']}"
    with wave.open(str(raw), "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(rate)
        file.writeframes(sound.tobytes())
    bitexact = ["-map_metadata", "-1", "-fflags", "+bitexact", "-flags:a", "+bitexact"]
    subprocess.run(["ffmpeg", "-v", "error", "-y", "-i", str(raw), *bitexact, *sample["encode"], str(audio)], check=True)
    raw.unlink()
    facts = {
        "language": sample["language"],
        "audioFile": audio.name,
        "audioSha256": hashlib.sha256(audio.read_bytes()).hexdigest(),
        "durationMs": math.floor(len(sound) * 1000 / rate),
        "segments": segments,
    }
    (FOLDER / f"{sample['name']}.json").write_text(json.dumps(facts, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
    print(f"{audio.name}: {facts['durationMs'] / 1000:.1f} s, {audio.stat().st_size} bytes, {sum(len(s['words']) for s in segments)} words")


def write_noisy(sound, rate):
    """What was said stands in its title only: it is there to be heard with and without the noise."""
    raw, audio = NOISY_FOLDER / "speech.tmp.wav", NOISY_FOLDER / f"{NOISY['name']}.mp3"
    with wave.open(str(raw), "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(rate)
        file.writeframes(sound.tobytes())
    bitexact = ["-map_metadata", "-1", "-fflags", "+bitexact", "-flags:a", "+bitexact"]
    encode = ["-c:a", "libmp3lame", "-b:a", "96k"]
    filters = ["-filter_complex", STREET, "-map", "[out]", "-ac", "1"]
    subprocess.run(["ffmpeg", "-v", "error", "-y", "-i", str(raw), *filters, *bitexact, *encode, str(audio)], check=True)
    raw.unlink()
    print(f"{audio.name}: {audio.stat().st_size} bytes")


def main():
    wanted = sys.argv[1:]
    FOLDER.mkdir(parents=True, exist_ok=True)
    NOISY_FOLDER.mkdir(parents=True, exist_ok=True)
    engine = Engine()
    for sample in SAMPLES:
        if not wanted or sample["name"] in wanted:
            write(sample, *make(sample, engine))
    if not wanted or NOISY["name"] in wanted:
        sound, _, rate = make(NOISY, engine)
        write_noisy(sound, rate)


main()
