/** The word with its first letter as a capital, whatever the language of the computer: "(it" is "(It" in Turkey too. */
export const capital = (word: string): string => word.replace(/\p{L}/u, (letter) => letter.toUpperCase());
