/** The first letters of a name in place of a logo, which would be a trademark. */
export function Monogram({ name }: { name: string }) {
  const words = name.split(/[^\p{L}\p{N}]+/u).filter(Boolean);
  const letters = words.length > 1 ? words.slice(0, 2).map((word) => word.charAt(0)) : words;
  return (
    <i class="monogram" aria-hidden="true">
      {letters.join('').slice(0, 2).toUpperCase()}
    </i>
  );
}
