# Sourced: fetches Debian packages of any suite and processor, and unpacks them. Nothing is installed. apt runs with sources, lists and
# a status of its own, so that it needs no root, and this machine's configuration does not learn of another suite or processor. The
# rest of that configuration counts (proxies, credentials), and apt verifies what it fetches as ever.
#
#   packages_of FOLDER ARCHITECTURE SUITE…    from now on: packages of these suites, with the lists in FOLDER
#   packages apt-get|apt-cache ARGUMENT…      runs it for them
#   unpack_packages ROOT PACKAGE.deb…         lays them out below ROOT, and registers them in its dpkg database
#   relink ROOT                               makes links below ROOT relative, which would lead out of it
#
# Whoever sources it has a function `fail`.

keyring=/usr/share/keyrings/debian-archive-keyring.gpg

# Where an archive of Debian, such as `debian`, is: the mirror that this machine's apt has for it, or Debian's own address.
archive() {
  local mirror
  mirror=$(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' | grep -m 1 "/$1/\?$" || true)
  printf '%s' "${mirror:-http://deb.debian.org/$1}"
}

packages_of() {
  local folder=$1 architecture=$2 suite name
  shift 2
  mkdir -p "$folder/lists/partial" "$folder/cache/archives/partial"
  : >"$folder/status"
  for suite; do
    name=debian
    if [[ $suite == *-security ]]; then name=debian-security; fi
    printf "deb [arch=$architecture signed-by=$keyring] %s %s main\n" "$(archive "$name")" "$suite"
  done >"$folder/sources.list"
  packages_options=(
    -o "APT::Architecture=$architecture" -o "APT::Architectures=$architecture"
    -o "Dir::Etc::sourcelist=$folder/sources.list" -o Dir::Etc::sourceparts=/dev/null -o Dir::Etc::preferencesparts=/dev/null
    -o "Dir::State::lists=$folder/lists" -o "Dir::State::status=$folder/status" -o "Dir::Cache=$folder/cache"
    -o Acquire::Languages=none -o Acquire::AllowInsecureRepositories=false -o APT::Get::AllowUnauthenticated=false
    -o APT::Update::Error-Mode=any -o APT::Sandbox::User=root
  )
  if ! packages apt-get update >"$folder/log" 2>&1; then
    tail -n 5 "$folder/log" >&2
    if grep -q NO_PUBKEY "$folder/log"; then
      fail "$keyring is too old for the suites $*: install the newest debian-archive-keyring"
    fi
    fail "cannot fetch the package lists of the suites $*"
  fi
}

packages() { "$1" "${packages_options[@]}" "${@:2}"; }

unpack_packages() {
  local root=$1 package name control information
  shift
  mkdir -p "$root/var/lib/dpkg/info" "$root/var/lib/dpkg/updates"
  # The format in which names have an architecture.
  echo 1 >"$root/var/lib/dpkg/info/format"
  control=$(mktemp -d)
  for package; do
    rm -rf "$control"
    dpkg-deb -e "$package" "$control"
    name=$(sed -n 's/^Package: //p' "$control/control")
    information=$root/var/lib/dpkg/info/$name
    if grep -qx 'Multi-Arch: same' "$control/control"; then
      information+=:$(sed -n 's/^Architecture: //p' "$control/control")
    fi
    # dpkg writes the status behind the name, and an empty line behind each package.
    awk '{print} NR == 1 {print "Status: install ok installed"} END {print ""}' "$control/control" >>"$root/var/lib/dpkg/status"
    for file in symbols shlibs conffiles; do
      if [[ -f $control/$file ]]; then cp "$control/$file" "$information.$file"; fi
    done
    {
      echo /.
      dpkg-deb --fsys-tarfile "$package" |
        tar -x -v -C "$root" --keep-directory-symlink --no-same-owner | sed 's,^\.,,; s,/$,,; /^$/d'
    } >"$information.list"
  done
  rm -rf "$control"
}

# Links to absolute paths lead out of a folder that is no root: they become relative.
relink() {
  local root=$1 link
  find "$root" -type l -lname '/*' | while read -r link; do
    ln -sfn "$(realpath -m --relative-to="$(dirname "$link")" "$root$(readlink "$link")")" "$link"
  done
}
