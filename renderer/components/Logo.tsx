/** Draws the product's logo: a gate between two crenellated towers. */
export function Mark({ size }: { size: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 32 32" aria-hidden="true">
      <rect width="32" height="32" rx="7" fill="#4f50c4" />
      <path
        d="M7 25V9h3v2.5h2.5V9h2.2v2.5h2.6V9h2.2v2.5H22V9h3v16h-5.5v-5a3.5 3.5 0 0 0-7 0v5z"
        fill="#fff"
      />
    </svg>
  );
}
