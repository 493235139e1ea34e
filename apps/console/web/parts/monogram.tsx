/** Files of the operator by the ids that their names begin with, as the service lists them in the page. */
const images = new Map(
  document.documentElement.dataset['images']?.split(' ').map((file) => [file.split('-')[0], file]),
);

interface Props {
  /** The id of a provider. */
  id: string;
  name: string;
}

/** The first letters of a provider's name in place of a logo, which would be a trademark; above them the image that the operator has for it. */
export function Monogram({ id, name }: Props) {
  const words = name.match(/[\p{L}\p{N}]+/gu) ?? [];
  const letters = words.length > 1 ? words.slice(0, 2).map((word) => word.charAt(0)) : words;
  const image = imageOf(id);
  return (
    <i class="monogram" aria-hidden="true">
      {letters.join('').slice(0, 2).toUpperCase()}
      {image && (
        <img
          key={image}
          src={`${import.meta.env.BASE_URL}assets/${image}`}
          alt=""
          onError={({ currentTarget }) => {
            currentTarget.hidden = true;
          }}
        />
      )}
    </i>
  );
}

/** Finds the file for `ticketing_github_mock`: of that name, or else `ticketing_github` or `github`. */
function imageOf(id: string): string | undefined {
  const real = id.replace(/_mock$/, '');
  return images.get(id) ?? images.get(real) ?? images.get(real.replace(/^[^_]+_/, ''));
}
