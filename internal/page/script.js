"use strict";
// Sorts and searches the table of calls. The page says all without it.
(function () {
  var table = document.getElementById("table");
  if (!table) return;
  var body = table.tBodies[0], rows = Array.prototype.slice.call(body.rows);
  var search = document.getElementById("search"), found = document.getElementById("found");
  var texts = rows.map(function (r) { return r.textContent.toLowerCase(); });
  rows.forEach(function (r, i) { r.at = i; });

  function show() {
    var words = search.value.toLowerCase().split(/\s+/).filter(Boolean), n = 0;
    rows.forEach(function (r) {
      var hit = words.every(function (w) { return texts[r.at].indexOf(w) >= 0; });
      r.hidden = !hit;
      if (hit) n++;
    });
    found.textContent = n + " " + found.dataset.of + " " + rows.length;
  }

  function key(row, column, numeric) {
    var cell = row.cells[column], text = cell.dataset.v !== undefined ? cell.dataset.v : cell.textContent;
    return numeric ? (text === "" ? -Infinity : parseFloat(text.replace(/\s/g, ""))) : text.toLowerCase();
  }

  Array.prototype.forEach.call(table.tHead.rows[0].cells, function (th, column) {
    var button = th.querySelector("button"), numeric = button.dataset.sort === "n";
    button.addEventListener("click", function () {
      var down = button.getAttribute("aria-sort") ? button.getAttribute("aria-sort") === "ascending" : numeric && column !== 0;
      table.tHead.querySelectorAll("button").forEach(function (b) { b.removeAttribute("aria-sort"); });
      button.setAttribute("aria-sort", down ? "descending" : "ascending");
      var sorted = rows.map(function (r) { return { row: r, key: key(r, column, numeric) }; });
      sorted.sort(function (a, b) {
        var c = a.key < b.key ? -1 : a.key > b.key ? 1 : 0;
        return (down ? -c : c) || a.row.at - b.row.at;
      });
      sorted.forEach(function (s) { body.appendChild(s.row); });
    });
  });
  search.addEventListener("input", show);
  show();
})();
