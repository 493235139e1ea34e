const most = 500;

/** What is made of texts that come again and again, a few hundred of them kept. */
export function kept<Made>(make: (text: string) => Made): (text: string) => Made {
  const known = new Map<string, Made>();
  return (text) => {
    const found = known.get(text);
    if (found !== undefined) return found;
    const made = make(text);
    if (known.size >= most) known.delete(known.keys().next().value as string);
    known.set(text, made);
    return made;
  };
}
