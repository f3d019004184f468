// How the game has ended.
import type { View } from "../protocol";

/** Points of all players, row by row, the winner first. */
export function Final({ view }: { view: View }) {
  const final = [...(view.final ?? [])].sort((one, other) => one.place - other.place);
  const rows = final.reduce<string[]>((names, entry) => names.concat(entry.rows.map(([name]) => name).filter((name) => !names.includes(name))), []);
  const winners = final.filter((entry) => entry.place === 1).map((entry) => entry.seat);
  if (!final.length) return null;
  return (
    <section class="part final" aria-label="How it ended">
      <h2>
        {winners.join(" and ")} {winners.length === 1 ? "has" : "have"} won
      </h2>
      <div class="scroll" tabIndex={0} role="group" aria-label="Points">
        <table>
          <thead>
            <tr>
              <td />
              {final.map((entry) => (
                <th key={entry.seat} scope="col">
                  {entry.place}. {entry.seat}
                  <small>{view.seats.find((seat) => seat.name === entry.seat)?.player}</small>
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <tr key={row}>
                <th scope="row">{row}</th>
                {final.map((entry) => (
                  <td key={entry.seat}>{entry.rows.find(([name]) => name === row)?.[1] ?? "–"}</td>
                ))}
              </tr>
            ))}
          </tbody>
          <tfoot>
            <tr>
              <th scope="row">all together</th>
              {final.map((entry) => (
                <td key={entry.seat}>{entry.points ?? "–"}</td>
              ))}
            </tr>
          </tfoot>
        </table>
      </div>
    </section>
  );
}
